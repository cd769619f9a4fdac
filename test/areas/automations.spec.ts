import type { Api, Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeUser } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { insist } from '../support/insist';
import { useSql } from '../support/sql';
import { makeWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

const rule = (body: Record<string, unknown> = {}): Record<string, unknown> => ({
  name: 'Rule',
  trigger: 'ticket.created',
  actions: [{ type: 'stop' }],
  ...body,
});

async function create(api: Api, body: Record<string, unknown> = {}): Promise<Fields> {
  return (await api.post('/automations', rule(body))).expect(201).data;
}

it('takes the five events of the specification by name, and answers objects', async () => {
  const { api } = await makeWorkspace(server);
  for (const event of ['created', 'updated', 'sla_breach', 'escalated', 'resolved']) {
    expect((await create(api, { trigger: `ticket.${event}` })).trigger).toEqual({ event: `ticket.${event}` });
  }
  expect((await create(api, { trigger: 'sla.breach' })).trigger).toEqual({ event: 'ticket.sla_breach' });
  expect((await api.get('/automations?event=ticket.sla_breach')).rows).toHaveLength(2);
});

it('puts a new one last', async () => {
  const { api } = await makeWorkspace(server);
  const positions: unknown[] = [];
  for (const position of [undefined, 7, undefined]) positions.push((await create(api, { position })).position);
  expect(positions).toEqual([1, 7, 8]);
  expect((await api.get('/automations')).rows.map((row) => row.position)).toEqual([1, 7, 8]);
});

it('gives a schedule the time zone of the workspace', async () => {
  const workspace = await makeWorkspace(server);
  const { timezone } = (await workspace.api.get('/me')).data.workspace as { timezone: string };
  const { trigger } = await create(workspace.api, { trigger: { event: 'schedule', cron: '0 9 * * 1-5' } });
  expect(trigger).toEqual({ event: 'schedule', cron: '0 9 * * 1-5', timezone });
});

it('refuses a schedule whose query is no filter, a view among it, as any list of filters does', async () => {
  const { api } = await makeWorkspace(server);
  const view = (await api.post('/views', { name: 'Mine', resource: 'tickets', filters: { priority: 'high' } })).expect(
    201,
  ).data;
  const schedule = (query: unknown): unknown => rule({ trigger: { event: 'schedule', cron: '0 * * * *', query } });
  const { id } = (await api.post('/automations', schedule({ priority: 'high' }))).expect(201).data;
  for (const query of [{ view: String(view.id) }, { view: 999_999, priority: 'high' }]) {
    const expected = [{ field: 'trigger.query.view', code: 'unknown_filter' }];
    expect((await api.post('/automations', schedule(query))).expect(422).error.details).toMatchObject(expected);
    const changed = await api.patch(`/automations/${id}`, { trigger: { event: 'schedule', cron: '0 * * * *', query } });
    expect(changed.expect(422).error.details).toMatchObject(expected);
  }
});

it('names everything that is wrong at once, with what is allowed', async () => {
  const { api } = await makeWorkspace(server);
  const answer = await api.post(
    '/automations',
    rule({
      trigger: 'ticket.zzz',
      conditions: {
        all: [
          { field: 'zzz', operator: 'eq' },
          { field: 'status', operator: 'gt', value: 1 },
        ],
      },
      actions: [{ type: 'stop' }, { type: 'zzz' }],
    }),
  );
  expect([answer.status, answer.error.type]).toEqual([422, 'validation_error']);
  expect(answer.codes).toEqual({
    'trigger.event': 'enum',
    'conditions.all[0].field': 'unknown_field',
    'conditions.all[1].operator': 'enum',
    'actions[1].type': 'enum',
  });
  for (const detail of answer.error.details ?? []) expect(detail.allowed).not.toHaveLength(0);
  expect((await api.get('/automations')).rows).toEqual([]);
});

it('refuses fields, variables and actions of another record than the trigger is about', async () => {
  const { api } = await makeWorkspace(server);
  const answer = await api.post(
    '/automations',
    rule({
      conditions: { all: [{ field: 'company.tier', operator: 'eq', value: 'wood' }] },
      actions: [{ type: 'add_comment', body: 'Hello {{requester.nmae}}' }],
    }),
  );
  expect(answer.expect(422).codes).toEqual({
    'conditions.all[0].value': 'enum',
    'actions[0].body': 'unknown_variable',
  });
});

it('requires that what actions name exists here', async () => {
  const [home, foreign] = [await makeWorkspace(server), await makeWorkspace(server)];
  const [own, other] = [await makeUser(home.api), await makeUser(foreign.api)];
  const gone = await makeUser(home.api, { status: 'suspended' });
  for (const user_id of [other.id, gone.id, 8_999_999_999]) {
    const answer = await home.api.post('/automations', rule({ actions: [{ type: 'assign', user_id }] }));
    expect(answer.expect(422).codes).toEqual({ 'actions[0].user_id': 'not_found' });
  }
  const { id } = await create(home.api, { actions: [{ type: 'assign', user_id: own.id }] });
  (await home.api.patch(`/users/${own.id}`, { status: 'suspended' })).expect(200);
  (await home.api.patch(`/automations/${id}`, { conditions: { any: [] }, name: 'Still mine' })).expect(200);
  const again = await home.api.patch(`/automations/${id}`, { actions: [{ type: 'assign', user_id: own.id }] });
  expect(again.expect(422).codes).toEqual({ 'actions[0].user_id': 'not_found' });
});

it('checks the whole rule when a part of it changes', async () => {
  const { api } = await makeWorkspace(server);
  const conditions = { all: [{ field: 'status', operator: 'changed_to', value: 'open' }] };
  const { id } = await create(api, { conditions });
  const patched = (await api.patch(`/automations/${id}`, { trigger: 'ticket.updated' })).expect(200).data;
  expect([patched.trigger, patched.conditions]).toEqual([{ event: 'ticket.updated' }, conditions]);
  const answer = await api.patch(`/automations/${id}`, { conditions: { all: [{ not: [] }] } });
  expect(answer.expect(422).codes).toEqual({ 'conditions.all[0].not': 'type' });
});

it('tells what changed', async () => {
  const workspace = await makeWorkspace(server);
  const { id } = await create(workspace.api);
  (await workspace.api.patch(`/automations/${id}`, { is_active: false })).expect(200);
  (await workspace.api.delete(`/automations/${id}`)).expect(200);
  const events = await eventsOf(server, workspace, 'automation', id);
  expect(events.map(({ type, changes }) => [type, changes])).toEqual([
    ['automation.created', null],
    ['automation.updated', { is_active: { from: true, to: false } }],
    ['automation.deleted', null],
  ]);
});

it('resumes a suspended one when it is switched on', async () => {
  const workspace = await makeWorkspace(server);
  const { id } = await create(workspace.api);
  await sql.rows(
    `UPDATE automations SET is_active = false, suspended_at = now(), suspended_reason = 'Too often.' WHERE id = $1`,
    [id],
  );
  const suspended = (await workspace.api.get(`/automations/${id}`)).data;
  expect(suspended).toMatchObject({ is_active: false, suspended_reason: 'Too often.' });
  const renamed = (await workspace.api.patch(`/automations/${id}`, { name: 'Other' })).expect(200).data;
  expect(renamed).toMatchObject({ suspended_at: suspended.suspended_at, suspended_reason: 'Too often.' });
  const resumed = (await workspace.api.patch(`/automations/${id}`, { is_active: true })).expect(200).data;
  expect(resumed).toMatchObject({ is_active: true, suspended_at: null, suspended_reason: null });
});

it('takes back a record that has run since it was read', async () => {
  const { api } = await makeWorkspace(server);
  const read = await create(api);
  const etag = (await api.get(`/automations/${read.id}`)).header('etag') ?? '';
  await sql.rows(`UPDATE automations SET run_count = 3, last_run_at = now() WHERE id = $1`, [read.id]);
  const now = await api.get(`/automations/${read.id}`, { 'if-none-match': etag });
  expect([now.status, now.data.run_count]).toEqual([200, 3]);
  const answer = await api.patch(`/automations/${read.id}`, { ...read, name: 'Other' }, { 'if-match': etag });
  expect(answer.expect(200).data).toMatchObject({ name: 'Other', run_count: 3 });
});

it('has at most 500 active ones, also when many are switched on at once', async () => {
  const workspace = await makeWorkspace(server);
  const { id } = await create(workspace.api, { is_active: false });
  const copy = `INSERT INTO automations (workspace_id, name, trigger, actions, is_active, created_at, updated_at)
    SELECT workspace_id, name, trigger, actions, n <= 497, now(), now() FROM automations, generate_series(1, 507) n WHERE id = $1`;
  await sql.rows(copy, [id]);
  const idle = await sql.rows<{ id: number }>(
    `SELECT id FROM automations WHERE workspace_id = $1 AND NOT is_active ORDER BY id LIMIT 10`,
    [workspace.id],
  );
  const answers = await Promise.all(
    idle.map((row) => insist(() => workspace.api.patch(`/automations/${row.id}`, { is_active: true }))),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, ...Array<number>(7).fill(422)]);
  const refused = await workspace.api.post('/automations', rule());
  expect([refused.status, refused.codes]).toEqual([422, { is_active: 'max' }]);
  (await workspace.api.post('/automations', rule({ is_active: false }))).expect(201);
});
