import { useApp } from '../support/app';
import { make } from '../support/cast';
import { drained } from '../support/jobs';
import { useReceiver } from '../support/receiver';
import { useSql } from '../support/sql';
import { subscribe } from '../support/webhooks';
import { makeWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
const receiver = useReceiver();

/** Copies of the event of a new company, all at one moment, as a change of many records makes them. */
const COPIES = `
  INSERT INTO events (workspace_id, uid, type, object, object_id, sequence_id, position, actor, causation, data, created_at)
  SELECT workspace_id, 'evt_' || md5(n::text), type, object, object_id, sequence_id, position, actor, causation, data, $2
  FROM events, generate_series(1, 10000) n WHERE workspace_id = $1 AND type = 'company.created'`;

it('a replay gets past a moment at which more happened than a call takes', async () => {
  const workspace = await makeWorkspace(server);
  const moment = '2026-03-01T08:00:00.000Z';
  const until = '2026-03-01T09:00:00.000Z';
  await make(workspace.api, '/companies', { name: 'Unwanted' });
  await sql.rows(COPIES, [workspace.id, moment]);
  const { id } = await make(workspace.api, '/companies', { name: 'Wanted' });
  await sql.rows(
    `UPDATE events SET created_at = $3 WHERE workspace_id = $1 AND object = 'company' AND object_id = $2`,
    [workspace.id, id, moment],
  );
  await drained(server, workspace);
  const conditions = { all: [{ field: 'company.name', operator: 'eq', value: 'Wanted' }] };
  const endpoint = await subscribe(workspace, receiver.url, ['company.created'], { filter: { conditions } });
  const replay = async (since: unknown): Promise<object> =>
    (await workspace.api.post(`/webhooks/${endpoint.id}/replay`, { since, until })).expect(202).data;
  const first = await replay(moment);
  expect(first).toEqual({ queued: 1, complete: false, next_since: '2026-03-01T08:00:00.001Z' });
  expect(await replay('2026-03-01T08:00:00.001Z')).toEqual({ queued: 0, complete: true, next_since: null });
});
