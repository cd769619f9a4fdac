import { useApp } from '../support/app';
import { make, makeTicket, makeUser } from '../support/cast';
import { letPass, rested } from '../support/sandbox';
import { useSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

/** What a workspace has of records that nobody made, by list. */
async function contentsOf({ api }: TestWorkspace): Promise<Record<string, unknown>> {
  const lists = [
    '/tickets',
    '/companies',
    '/contacts',
    '/sla',
    '/crm/pipelines',
    '/kb/categories',
    '/meetings/types',
    '/automations',
  ];
  const found: Record<string, unknown> = {};
  for (const list of lists) {
    const { rows, meta } = (await api.get(`${list}?per_page=100`)).expect(200);
    found[list] = [meta.total, rows.map(({ name }) => String(name)).sort()];
  }
  return found;
}

it('empties a sandbox, lets tokens and people be, and begins as it began', async () => {
  const sandbox = await makeWorkspace(server, { sandbox: true });
  const neighbour = await makeWorkspace(server);
  const { api } = sandbox;
  const beginning = await contentsOf(sandbox);
  const user = await makeUser(api);
  const company = await make(api, '/companies');
  const [, next] = [await makeTicket(api), await makeTicket(neighbour.api)];
  const ticket = await makeTicket(api, { company_id: company.id, assigned_to: user.id });
  (await api.post(`/tickets/${ticket.id}/comments`, { body: 'Hello' })).expect(201);
  (await api.post('/quotes', { title: 'Offer', currency: 'EUR' })).expect(201);
  await letPass(sandbox, 'P40D');
  const [policy] = (await api.get('/sla')).rows;
  (await api.patch(`/sla/${policy?.id}`, { name: 'Renamed' })).expect(200);

  const asked = (await api.post('/sandbox/reset')).expect(202);
  expect(asked.data).toMatchObject({ is_sandbox: true, is_settled: false });
  const now = await rested(sandbox);
  expect(Math.abs(now - Date.now())).toBeLessThan(3_600_000);
  expect((await api.get('/sandbox/clock')).data).toMatchObject({ ahead_seconds: 0 });
  expect(await contentsOf(sandbox)).toEqual(beginning);
  expect((await api.get(`/users/${user.id}`)).expect(200).data.name).toBe(user.name);
  const events = (
    await sql.rows<{ type: string }>('SELECT type FROM events WHERE workspace_id = $1 ORDER BY id', [sandbox.id])
  ).map(({ type }) => type);
  expect(events).toEqual(['sandbox.reset']);
  expect((await makeTicket(api)).code).toBe(next.code);
  expect((await neighbour.api.get('/tickets')).meta.total).toBe(1);
});

it('refuses it in an ordinary workspace, which keeps what it has', async () => {
  const { api } = await makeWorkspace(server);
  await makeTicket(api);
  expect((await api.post('/sandbox/reset')).error.type).toBe('conflict');
  expect((await api.get('/tickets')).meta.total).toBe(1);
});

it('is done once where it is asked for twice', async () => {
  const sandbox = await makeWorkspace(server, { sandbox: true });
  const both = await Promise.all([sandbox.api.post('/sandbox/reset'), sandbox.api.post('/sandbox/reset')]);
  const statuses = both.map(({ status }) => status);
  // The second comes while the first is under way, or when it is over.
  expect(statuses).toContain(202);
  expect(statuses.every((status) => status === 202 || status === 409)).toBe(true);
  await rested(sandbox);
  expect((await sandbox.api.get('/sandbox/clock')).data).toMatchObject({ ahead_seconds: 0 });
});
