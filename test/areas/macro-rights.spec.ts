import { useApp } from '../support/app';
import { make, makeTicket } from '../support/cast';
import type { Fields } from '../support/api';
import { makePerson, type Person } from '../support/people';
import { useSql } from '../support/sql';
import { until } from '../support/until';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
let home: TestWorkspace;
beforeAll(async () => {
  home = await makeWorkspace(server);
});

async function personWith(permissions: readonly string[], body: object = {}): Promise<Person> {
  const { id } = await make(home.api, '/roles', { permissions });
  return makePerson(server, home, { role_id: id, ...body });
}

const MAIL = { type: 'send_email', to: 'requester', subject: 'Hi', body: 'Hello' };
const ACTIONS: readonly [object, permission: string][] = [
  [MAIL, 'tickets.reply'],
  [{ type: 'create_ticket', subject: 'Another' }, 'tickets.create'],
  [{ type: 'add_comment', body: 'x', is_internal: true }, 'tickets.comment'],
];

describe('whoever applies a macro', () => {
  it.each(ACTIONS)('does not by %j what their role forbids', async (action, permission) => {
    const clerk = await personWith(['tickets.read', 'tickets.update', 'macros.read', 'bulk-jobs.read']);
    const ticket = await makeTicket(home.api, { requester_email: 'ada@people.example' });
    const macro = await make(home.api, '/macros', { actions: [{ type: 'add_tags', tags: 'seen' }, action] });
    const path = `/tickets/${ticket.id}/macros/${macro.id}`;
    for (const query of ['', '?preview=true'])
      expect((await clerk.api.post(path + query)).expect(403).error.details).toMatchObject([{ permission }]);
    const { id } = (await clerk.api.post('/tickets/bulk', { ids: [ticket.id], actions: [action] })).expect(202).data;
    let job: Fields = { id: 0 };
    await until('the job is over', async () => {
      job = (await clerk.api.get(`/bulk-jobs/${id}`)).expect(200).data;
      return job.status === 'completed';
    });
    expect(job).toMatchObject({ failed_count: 1, errors: [{ error: expect.stringContaining(permission) as string }] });
    const { tags, comment_count } = (await home.api.get(`/tickets/${ticket.id}`)).data;
    expect([tags, comment_count]).toEqual(['', 0]);
    const effects = await sql.rows(`SELECT FROM automation_effects WHERE workspace_id = $1 AND object_id = $2`, [
      home.id,
      ticket.id,
    ]);
    expect(effects).toEqual([]);
    const able = await personWith(['tickets.read', 'tickets.update', 'macros.read', permission]);
    (await able.api.post(path)).expect(200);
  });

  it('writes by it nothing of companies that their role hides', async () => {
    const company = await make(home.api, '/companies', { name: 'Hidden Ltd' });
    const ticket = await makeTicket(home.api, { company_id: company.id });
    const action = { type: 'add_comment', body: 'Of {{company.name}}.', is_internal: true };
    const macro = await make(home.api, '/macros', { actions: [action] });
    const path = `/tickets/${ticket.id}/macros/${macro.id}?preview=true`;
    const rights = ['tickets.read', 'tickets.update', 'tickets.comment', 'macros.read'];
    const [clerk, able] = [await personWith(rights), await personWith([...rights, 'companies.read'])];
    expect((await clerk.api.post(path)).expect(200).data.comments).toMatchObject([{ body: 'Of .' }]);
    expect((await able.api.post(path)).expect(200).data.comments).toMatchObject([{ body: 'Of Hidden Ltd.' }]);
  });

  it('must be allowed to see macros, and views to open one', async () => {
    const clerk = await personWith(['tickets.read', 'tickets.update']);
    const ticket = await makeTicket(home.api);
    const macro = await make(home.api, '/macros', { actions: [{ type: 'add_tags', tags: 'seen' }] });
    (await clerk.api.post(`/tickets/${ticket.id}/macros/${macro.id}?preview=true`)).expect(404);
    (await clerk.api.post(`/tickets/${ticket.id}/macros/${macro.id}`)).expect(404);
    const bulk = await clerk.api.post('/tickets/bulk', { ids: [ticket.id], macro_id: macro.id });
    expect(bulk.expect(422).codes).toEqual({ macro_id: 'not_found' });
    const view = await make(home.api, '/views', { filters: { status: 'open' } });
    expect((await clerk.api.get(`/tickets?view=${view.id}`)).expect(422).codes).toEqual({ view: 'not_found' });
    const reader = await personWith(['tickets.read', 'views.read']);
    (await reader.api.get(`/tickets?view=${view.id}`)).expect(200);
  });
});

describe('a bulk job of somebody else', () => {
  it('is seen and undone by who sees every ticket, and by nobody with limits', async () => {
    const ticket = await makeTicket(home.api);
    const actions = [{ type: 'add_comment', body: 'Between us', is_internal: true }];
    const job = (await home.api.post('/tickets/bulk', { ids: [ticket.id], actions })).expect(202).data;
    const narrow = await makePerson(server, home, { role: 'agent', ticket_scope: 'assigned' });
    (await narrow.api.get(`/bulk-jobs/${job.id}`)).expect(404);
    (await narrow.api.post(`/bulk-jobs/${job.id}/cancel`)).expect(404);
    (await narrow.api.post(`/bulk-jobs/${job.id}/undo`)).expect(404);
    const mine = await makeTicket(home.api, { assigned_to: narrow.id });
    const own = (await narrow.api.post('/tickets/bulk', { ids: [mine.id], actions })).expect(202).data;
    expect((await narrow.api.get('/bulk-jobs')).rows.map(({ id }) => id)).toEqual([own.id]);
    const wide = await makePerson(server, home, { role: 'agent' });
    (await wide.api.get(`/bulk-jobs/${job.id}`)).expect(200);
    (await wide.api.get(`/bulk-jobs/${own.id}`)).expect(200);
  });
});
