import { useOwnApp } from '../support/app';
import { patience } from '../support/machine';
import { useSql } from '../support/sql';
import { CSV, opened, restOf } from '../support/tables';
import { until } from '../support/until';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

// A handler has two seconds, and a connection on which nothing moves ten more.
const handlerLimitMs = patience(2_000);
const server = useOwnApp({}, { handlerLimitMs });
const sql = useSql();
const NUMBER = 300;
let workspace: TestWorkspace;
let path: string;
beforeAll(async () => {
  workspace = await makeWorkspace(server);
  const endpoint = { url: 'http://127.0.0.1:9/', events: ['quota.warning'], is_active: false };
  const { id } = (await workspace.api.post('/webhooks', endpoint)).expect(201).data;
  path = `/webhooks/${id}/deliveries`;
  // More than the buffers between two sockets hold.
  await sql.rows(
    `INSERT INTO webhook_deliveries (workspace_id, webhook_id, event_row, event_id, event, status, response_body)
     SELECT $1, $2, n, 'evt', 'quota.warning', 'failed', repeat('x', 60000) FROM generate_series(1, ${NUMBER}) n`,
    [workspace.id, id],
  );
});

it('an answer that has begun takes as long as its reader, but not for ever', async () => {
  const open = () => opened(`${server.url}/v1${path}?fields=id,response_body`, workspace.token);
  const [slow, stuck] = [await open(), await open()];
  const began = performance.now();
  await until('a handler would have been too slow', () => performance.now() - began > handlerLimitMs * 1.5);
  expect((await restOf(slow)).toString().split('\r\n')).toHaveLength(NUMBER + 2);
  const third = async (): Promise<number> => (await workspace.api.get(`${path}?fields=id`, { accept: CSV })).status;
  await until('the place of the first one is free', async () => (await third()) === 200);
  const other = (await open()).once('error', () => undefined);
  expect(await third()).toBe(429);
  // Nobody reads the stuck one: the server ends it, and it does so before it ends the other, which began later.
  await until('the place of the stuck one is free', async () => (await third()) === 200);
  await expect(restOf(stuck)).rejects.toThrow();
  other.destroy();
});
