import { Database } from '../../src/platform/database/database';
import { CounterFolder } from '../../src/platform/counters/counter-folder';
import type { Answer } from '../support/api';
import { useApp } from '../support/app';
import { eventsOf } from '../support/event-log';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const app = useApp();

let home: TestWorkspace;
let serial = 0;
beforeEach(async () => {
  home = await makeWorkspace(app);
});

function create(fields: Record<string, unknown> = {}): Promise<Answer> {
  serial++;
  return home.api.post('/users', { name: `Agent ${serial}`, email: `agent${serial}@help.example`, ...fields });
}

async function user(fields: Record<string, unknown> = {}): Promise<number> {
  return (await create(fields)).expect(201).data.id;
}

async function ticketOf(assignee: number, status = 'open'): Promise<number> {
  const body = { subject: 'help', assigned_to: assignee, status };
  return (await home.api.post('/tickets', body)).expect(201).data.id;
}

const types = async (id: number): Promise<string[]> =>
  (await eventsOf(app, home, 'user', id)).map((event) => event.type);

describe('fields of a user', () => {
  it('has defaults for everything but name and address', async () => {
    const { data } = (await create({ email: 'Ines@HELP.example' })).expect(201);
    expect(data).toMatchObject({
      email: 'ines@help.example',
      role: 'agent',
      status: 'active',
      timezone: 'UTC',
      locale: 'en',
      team_ids: [],
      skills: [],
      ticket_scope: 'all',
      availability: 'offline',
      availability_changed_at: null,
      out_of_office: null,
      source: 'local',
      directory_user_id: null,
      last_login_at: null,
      open_ticket_count: 0,
    });
  });

  it('has an address that no other user of the workspace has, case aside', async () => {
    await user({ email: 'ines@help.example' });
    expect((await create({ email: 'INES@help.example' })).expect(422).codes).toEqual({ email: 'duplicate' });
  });

  it.each([
    [{ role: 'boss' }, { role: 'enum' }],
    [{ timezone: 'Mars/Olympus' }, { timezone: 'format' }],
    [{ locale: 'english please' }, { locale: 'format' }],
    [{ avatar_url: 'javascript:alert(1)' }, { avatar_url: 'format' }],
    [{ team_ids: [999_999] }, { team_ids: 'not_found' }],
    [{ manager_id: 999_999 }, { manager_id: 'not_found' }],
    [{ source: 'ad' }, { source: 'immutable' }],
    [{ out_of_office: { from: 'tomorrow' } }, { 'out_of_office.from': 'format' }],
    [{ out_of_office: { from: '2026-08-01T00:00:00Z', until: 'x' } }, { 'out_of_office.until': 'unknown_field' }],
    [{ out_of_office: { from: '2026-08-02T00:00:00Z', to: '2026-08-01T00:00:00Z' } }, { 'out_of_office.to': 'min' }],
    [
      { out_of_office: { from: '2026-08-01T00:00:00Z', replacement_user_id: 999_999 } },
      { 'out_of_office.replacement_user_id': 'not_found' },
    ],
  ])('refuses %j', async (fields, codes) => {
    expect((await create(fields)).expect(422).codes).toEqual(codes);
  });

  it('keeps an absence in UTC', async () => {
    const stand = await user();
    const absence = { from: '2026-08-01T02:00:00+02:00', to: null, replacement_user_id: stand };
    const { data } = (await create({ out_of_office: absence })).expect(201);
    expect(data.out_of_office).toEqual({ from: '2026-08-01T00:00:00.000Z', replacement_user_id: stand });
    const self = { from: '2026-08-01T00:00:00Z', replacement_user_id: data.id };
    expect((await home.api.patch(`/users/${data.id}`, { out_of_office: self })).expect(422).codes).toEqual({
      'out_of_office.replacement_user_id': 'invalid',
    });
    const cleared = (await home.api.patch(`/users/${data.id}`, { out_of_office: null })).expect(200);
    expect(cleared.data.out_of_office).toBeNull();
  });
});

describe('lists of users', () => {
  it('filter, sort and search', async () => {
    const team = (await home.api.post('/teams', { name: 'Second line' })).expect(201).data.id;
    const boss = await user({ name: 'C', role: 'owner' });
    await user({ name: 'A', team_ids: [team], skills: ['VPN', 'billing'], email: 'a@help.example' });
    await user({ name: 'B', title: 'Night shift', manager_id: boss, availability: 'online' });
    const list = async (query: string): Promise<unknown[]> =>
      (await home.api.get(`/users?${query}`)).expect(200).rows.map((row) => row.name);
    expect(await list('sort=name')).toEqual(['A', 'B', 'C']);
    expect(await list(`team_id=${team}`)).toEqual(['A']);
    expect(await list('skill=vpn')).toEqual(['A']);
    expect(await list('email=A@help.example')).toEqual(['A']);
    expect(await list('role=owner')).toEqual(['C']);
    expect(await list('availability=online')).toEqual(['B']);
    expect(await list('q=night')).toEqual(['B']);
    expect(await list('sort=-role')).toContain('C');
    expect((await list('sort=last_login_at')).length).toBe(3);
    const [first] = (await home.api.get('/users?q=night&expand=manager')).rows;
    expect(first?.manager).toMatchObject({ id: boss, name: 'C' });
  });

  it('counts the open tickets of each, folded or not', async () => {
    const id = await user();
    await ticketOf(id);
    const second = await ticketOf(id, 'on_hold');
    await ticketOf(id, 'closed');
    const count = async (): Promise<unknown> => (await home.api.get(`/users/${id}`)).data.open_ticket_count;
    expect(await count()).toBe(2);
    await app.app.get(Database).system(() => app.app.get(CounterFolder).fold());
    expect(await count()).toBe(2);
    (await home.api.patch(`/tickets/${second}`, { status: 'resolved' })).expect(200);
    expect(await count()).toBe(1);
  });
});

describe('availability', () => {
  it('remembers when it changed and says so in an event', async () => {
    const id = await user();
    const { data } = (await home.api.patch(`/users/${id}`, { availability: 'online' })).expect(200);
    expect(data.availability_changed_at).not.toBeNull();
    (await home.api.patch(`/users/${id}`, { availability: 'online' })).expect(200);
    expect(await types(id)).toEqual(['user.created', 'user.updated', 'user.availability_changed']);
  });
});

describe('owners', () => {
  it.each([
    [{ role: 'admin' }, { role: 'last_owner' }],
    [{ status: 'suspended' }, { status: 'last_owner' }],
    [{ status: 'deactivated' }, { status: 'last_owner' }],
  ])('keeps the last active one against %j', async (change, codes) => {
    const owner = await user({ role: 'owner' });
    await user({ role: 'owner', status: 'invited' });
    expect((await home.api.patch(`/users/${owner}`, change)).expect(422).codes).toEqual(codes);
    expect((await home.api.delete(`/users/${owner}`)).expect(422).codes).toEqual({ status: 'last_owner' });
    await user({ role: 'owner' });
    (await home.api.patch(`/users/${owner}`, change)).expect(200);
  });

  it('keeps one of two who go at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      home = await makeWorkspace(app);
      const owners = [await user({ role: 'owner' }), await user({ role: 'owner' })];
      const answers = await Promise.all([
        home.api.patch(`/users/${owners[0]}`, { role: 'agent' }),
        home.api.delete(`/users/${owners[1]}`),
      ]);
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422]);
      expect((await home.api.get('/users?role=owner&status=active')).meta.total).toBe(1);
    }
  });
});

describe('managers', () => {
  it('form no circle', async () => {
    const top = await user();
    const middle = await user({ manager_id: top });
    const low = await user({ manager_id: middle });
    for (const manager of [top, low]) {
      const answer = (await home.api.patch(`/users/${top}`, { manager_id: manager })).expect(422);
      expect(answer.codes).toEqual({ manager_id: 'cycle' });
    }
  });

  it('form no circle when two change at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const [left, right] = [await user(), await user()];
      const answers = await Promise.all([
        home.api.patch(`/users/${left}`, { manager_id: right }),
        home.api.patch(`/users/${right}`, { manager_id: left }),
      ]);
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422]);
    }
  });
});

describe('the status of a user', () => {
  it('moves only along the transitions', async () => {
    const id = await user();
    const answer = (await home.api.patch(`/users/${id}`, { status: 'invited' })).expect(422);
    expect(answer.error.details).toEqual([
      expect.objectContaining({
        field: 'status',
        code: 'invalid_transition',
        from: 'active',
        to: 'invited',
        allowed: ['suspended', 'deactivated'],
      }),
    ]);
    (await home.api.patch(`/users/${id}`, { status: 'suspended' })).expect(200);
    (await home.api.patch(`/users/${id}`, { status: 'active' })).expect(200);
  });

  it('becomes deactivated by DELETE; the user stays readable and can return', async () => {
    const id = await user({ availability: 'online' });
    const gone = (await home.api.delete(`/users/${id}`)).expect(200);
    expect(gone.data).toMatchObject({ id, status: 'deactivated', availability: 'offline' });
    expect((await home.api.get(`/users/${id}`)).expect(200).data).toEqual(gone.data);
    (await home.api.delete(`/users/${id}`)).expect(200);
    expect(await types(id)).toEqual([
      'user.created',
      'user.updated',
      'user.deactivated',
      'user.availability_changed',
      'user.deleted',
    ]);
    expect((await home.api.patch(`/users/${id}`, { status: 'active' })).expect(200).data.status).toBe('active');
  });

  it('cannot become deactivated with open tickets, unless they go to someone', async () => {
    const [leaver, heir, away] = [await user(), await user(), await user({ status: 'suspended' })];
    const open = await ticketOf(leaver);
    const closed = await ticketOf(leaver, 'closed');
    expect((await home.api.delete(`/users/${leaver}`)).expect(422).codes).toEqual({ id: 'in_use' });
    expect((await home.api.patch(`/users/${leaver}`, { status: 'deactivated' })).expect(422).codes).toEqual({
      id: 'in_use',
    });
    const refused = async (to: string): Promise<unknown> =>
      (await home.api.delete(`/users/${leaver}?reassign_to=${to}`)).expect(422).codes;
    expect(await refused('someone')).toEqual({ reassign_to: 'type' });
    expect(await refused(String(leaver))).toEqual({ reassign_to: 'invalid' });
    expect(await refused(String(away))).toEqual({ reassign_to: 'inactive' });
    expect(await refused('999999')).toEqual({ reassign_to: 'not_found' });

    (await home.api.delete(`/users/${leaver}?reassign_to=${heir}`)).expect(200);
    expect((await home.api.get(`/tickets/${open}`)).data.assigned_to).toBe(heir);
    expect((await home.api.get(`/tickets/${closed}`)).data.assigned_to).toBe(leaver);
    const [updated, assigned] = (await eventsOf(app, home, 'ticket', open)).slice(-2);
    expect(updated).toMatchObject({ type: 'ticket.updated', position: 1 });
    expect(assigned).toMatchObject({
      type: 'ticket.assigned',
      position: 2,
      sequence_id: updated?.sequence_id,
      changes: { assigned_to: { from: leaver, to: heir } },
    });
    expect(assigned?.uid).not.toBe(updated?.uid);
  });

  it('leaves open tickets unassigned with reassign_to=none', async () => {
    const leaver = await user();
    const ticket = await ticketOf(leaver);
    (await home.api.delete(`/users/${leaver}?reassign_to=none`)).expect(200);
    expect((await home.api.get(`/tickets/${ticket}`)).data.assigned_to).toBeNull();
    expect((await eventsOf(app, home, 'ticket', ticket)).at(-1)?.type).toBe('ticket.unassigned');
  });
});
