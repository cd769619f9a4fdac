import { Client } from 'pg';
import { useApp } from '../support/app';
import { makeRule, runsOf } from '../support/automations';
import { make, makeTicket, makeUser } from '../support/cast';
import { testServices } from '../support/services';
import { useSql } from '../support/sql';
import { until } from '../support/until';
import { drained } from '../support/jobs';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

/** How many tickets each user has, by user; 0 = nobody's. */
async function sharesOf({ id }: TestWorkspace): Promise<Record<string, number>> {
  const rows = await sql.rows<{ who: number; n: number }>(
    `SELECT coalesce(assigned_to, 0) AS who, count(*) AS n FROM tickets WHERE workspace_id = $1 GROUP BY 1`,
    [id],
  );
  return Object.fromEntries(rows.map(({ who, n }) => [who, n]));
}

it('gives 200 tickets that come at once to everybody alike, and leaves none behind', async () => {
  const workspace = await makeWorkspace(server);
  const team = await make(workspace.api, '/teams');
  const members = await Promise.all([1, 2, 3, 4].map(() => makeUser(workspace.api, { team_ids: [team.id] })));
  await makeRule(workspace, { actions: [{ type: 'assign', strategy: 'round_robin', team_id: team.id }] });
  const tickets = Array.from({ length: 200 }, (_, index) => ({ op: 'create', data: { subject: `Ticket ${index}` } }));
  const batches = [0, 50, 100, 150].map((from) => ({ operations: tickets.slice(from, from + 50) }));
  await Promise.all(batches.map(async (batch) => (await workspace.api.post('/tickets/batch', batch)).expect(200)));
  await until('each has an assignee', async () => (await sharesOf(workspace))[0] === undefined, 120_000);
  expect(await sharesOf(workspace)).toEqual(Object.fromEntries(members.map(({ id }) => [id, 50])));
});

it('holds no lock on the team while a rule waits: another ticket of the team is assigned meanwhile', async () => {
  const workspace = await makeWorkspace(server);
  const team = await make(workspace.api, '/teams');
  // One after the other: turns begin with the older of two.
  const first = await makeUser(workspace.api, { team_ids: [team.id] });
  const second = await makeUser(workspace.api, { team_ids: [team.id] });
  await makeRule(workspace, { actions: [{ type: 'assign', strategy: 'round_robin', team_id: team.id }] });
  const client = new Client({ connectionString: testServices().adminUrl });
  await client.connect();
  try {
    // Whose turn is first cannot be given anything for as long as this lasts: longer than any statement waits for a lock.
    await client.query('BEGIN');
    await client.query(`SELECT FROM users WHERE id = $1 FOR UPDATE`, [first.id]);
    const waiting = await makeTicket(workspace.api);
    await until('the first ticket has its turn', async () => {
      const rows = await sql.rows(`SELECT FROM automation_reservations WHERE ticket_id = $1`, [waiting.id]);
      return rows.length > 0;
    });
    const other = await makeTicket(workspace.api);
    await until('the second ticket is assigned', async () => {
      const { data } = await workspace.api.get(`/tickets/${other.id}`);
      return data.assigned_to === second.id;
    });
    const retries = async (): Promise<boolean> =>
      (await runsOf(workspace, 'tickets', waiting.id)).some(({ reason }) => reason === 'retry');
    await until('the log shows that the first one is tried again', retries);
    expect((await workspace.api.get(`/tickets/${waiting.id}`)).data.assigned_to).toBeNull();
    await client.query('COMMIT');
    await until('the first ticket is assigned', async () => {
      const { data } = await workspace.api.get(`/tickets/${waiting.id}`);
      return data.assigned_to === first.id;
    });
    await drained(server, workspace);
    const runs = (await runsOf(workspace, 'tickets', waiting.id)) as { status: string; attempt?: number }[];
    const last = runs.at(-1);
    expect(last?.status).toBe('executed');
    expect(last?.attempt).toBeGreaterThan(1);
  } finally {
    await client.end();
  }
});

it('passes over who is out of office, has no room or only reads along; who is online comes before who is away', async () => {
  const workspace = await makeWorkspace(server);
  const team = await make(workspace.api, '/teams');
  const member = { team_ids: [team.id] };
  const out_of_office = { from: '2020-01-01T00:00:00.000Z' };
  await makeUser(workspace.api, { ...member, availability: 'away' });
  await makeUser(workspace.api, { ...member, out_of_office });
  await makeUser(workspace.api, { ...member, role: 'light_agent', availability: 'online' });
  const limited = await makeUser(workspace.api, { ...member, availability: 'online', max_open_tickets: 2 });
  const free = await makeUser(workspace.api, { ...member, availability: 'online' });
  for (const strategy of ['round_robin', 'least_loaded'])
    await makeRule(workspace, {
      conditions: { all: [{ field: 'subject', operator: 'eq', value: strategy }] },
      actions: [{ type: 'assign', strategy, team_id: team.id }],
    });
  for (const subject of ['round_robin', 'least_loaded'])
    await Promise.all(Array.from({ length: 4 }, () => makeTicket(workspace.api, { subject })));
  await until('each has an assignee', async () => (await sharesOf(workspace))[0] === undefined);
  expect(await sharesOf(workspace)).toEqual({ [limited.id]: 2, [free.id]: 6 });
});
