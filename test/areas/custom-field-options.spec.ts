import { Client } from 'pg';
import { useApp } from '../support/app';
import { make, makeTicket } from '../support/cast';
import { testServices } from '../support/services';
import { useSql } from '../support/sql';
import { until } from '../support/until';
import { makeWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

const SOUTH = { value: 'south', label: 'South wing' };
const NORTH = { value: 'north', label: 'North wing' };

/** Holds the categories of a workspace, so that whoever names one waits, until `work` is over. */
async function holding(workspace: number, work: (waits: () => Promise<void>) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: testServices().adminUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await client.query('BEGIN');
    await client.query(`SELECT FROM categories WHERE workspace_id = $1 FOR UPDATE`, [workspace]);
    await work(() => someoneWaitsFor(rows[0]?.pid));
  } finally {
    await client.end();
  }
}

function someoneWaitsFor(pid: number | undefined): Promise<void> {
  return until('somebody waits for it', async () => {
    const found = await sql.rows(`SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))`, [pid]);
    return found.length > 0;
  });
}

const WAITING = `
  SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

it.each([
  ['says so', { custom_fields: { site: 'north' } }],
  ['has it by default', {}],
])('an option is not taken away from a ticket that is being written and %s', async (_how, body) => {
  const { api, id: workspace } = await makeWorkspace(server);
  const options = [SOUTH, NORTH];
  const field = { object: 'ticket', key: 'site', label: 'Site', type: 'select', options, default_value: 'north' };
  const site = (await api.post('/custom-fields', field)).expect(201).data;
  const category = await make(api, '/categories');
  const path = `/custom-fields/${site.id}`;
  let made: Promise<unknown> = Promise.resolve();
  let taken: ReturnType<typeof api.patch> | undefined;
  await holding(workspace, async (waits) => {
    // The look at the category comes last: the ticket is as good as written.
    made = makeTicket(api, { category_id: category.id, ...body });
    await waits();
    let isOver = false;
    taken = api.patch(path, { options: [SOUTH], default_value: null }).finally(() => (isOver = true));
    await until('the other is answered, or waits', async () => {
      return isOver || (await sql.rows(WAITING)).length > 0;
    });
  });
  expect(await made).toMatchObject({ custom_fields: { site: 'north' } });
  expect((await taken)?.expect(409).codes).toEqual({ options: 'in_use' });
  const [ticket] = (await api.get('/tickets')).expect(200).rows;
  (await api.delete(`/tickets/${ticket?.id}`)).expect(200);
  (await api.patch(path, { options: [SOUTH], default_value: null })).expect(200);
  (await api.post('/tickets', { subject: 'x', custom_fields: { site: 'north' } })).expect(422);
});
