import type { Api, Fields } from '../support/api';
import { useApp } from '../support/app';
import { make, makeTicket, makeUser } from '../support/cast';
import { makePerson, type Person } from '../support/people';
import { uploaded } from '../support/uploads';
import { until } from '../support/until';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let home: TestWorkspace;
let company: Fields;
let team: Fields;
/** Sees own tickets; sees those of a team as well; sees all. */
let solo: Person;
let mate: Person;
let lead: Person;
/** Of `solo`, of the team, of nobody. */
let own: Fields;
let teams: Fields;
let foreign: Fields;
/** A ticket with a word in it that the others do not have. */
const SECRET = 'zebrafish';

beforeAll(async () => {
  home = await makeWorkspace(server);
  company = await make(home.api, '/companies');
  team = await make(home.api, '/teams');
  solo = await makePerson(server, home, { ticket_scope: 'assigned' });
  mate = await makePerson(server, home, { ticket_scope: 'teams', team_ids: [team.id] });
  lead = await makePerson(server, home, { role: 'admin' });
  const shared = { company_id: company.id };
  own = await makeTicket(home.api, { subject: 'walrus of mine', assigned_to: solo.id, ...shared });
  teams = await makeTicket(home.api, { subject: 'walrus of ours', team_id: team.id, ...shared });
  foreign = await makeTicket(home.api, { subject: `walrus ${SECRET}`, priority: 'urgent', ...shared });
  for (const { id } of [own, teams, foreign])
    (await home.api.post(`/tickets/${id}/comments`, { body: 'Hello' })).expect(201);
});

const idsOf = (rows: readonly Fields[]): number[] => rows.map(({ id }) => id).sort((a, b) => a - b);

/** Who sees what. */
const cases = (): [Api, number[]][] => [
  [solo.api, [own.id]],
  [mate.api, [teams.id]],
  [lead.api, [own.id, teams.id, foreign.id]],
];

describe('what is not seen is not there', () => {
  it.each([
    '/tickets?sort=id',
    '/tickets?sort=-priority',
    '/tickets?status=open',
    '/tickets?q=walrus',
    '/tickets?q=walrus&priority=urgent,medium',
    '/tickets?company_id=COMPANY',
    '/tickets?offset=0&limit=1',
    '/tickets?page=1&per_page=2&fields=id',
  ])('in %s: rows, totals and pages', async (path) => {
    for (const [api, seen] of cases()) {
      const answer = (await api.get(path.replace('COMPANY', String(company.id)))).expect(200);
      expect(answer.meta.total).toBe(seen.length);
      expect(idsOf(answer.rows).every((id) => seen.includes(id))).toBe(true);
    }
  });

  it('read by id, with its comments, history, clocks, ratings and runs', async () => {
    for (const [api, seen] of cases())
      for (const { id } of [own, teams, foreign])
        for (const rest of ['', '/comments', '/history', '/sla', '/ratings'])
          (await api.get(`/tickets/${id}${rest}`)).expect(seen.includes(id) ? 200 : 404);
    const supervisor = await makePerson(server, home, { role: 'supervisor', ticket_scope: 'assigned' });
    (await supervisor.api.get(`/tickets/${foreign.id}/automation-runs`)).expect(404);
    (await lead.api.get(`/tickets/${foreign.id}/automation-runs`)).expect(200);
  });

  it('expanded from what is seen, and counted there', async () => {
    for (const [api, seen] of cases()) {
      const { data } = (await api.get(`/companies/${company.id}?expand=tickets`)).expect(200);
      expect(idsOf(data.tickets as Fields[])).toEqual(seen);
      expect(data.open_ticket_count).toBe(seen.length);
      const [row] = (await api.get(`/companies?expand=tickets&fields=id,open_ticket_count`)).expect(200).rows;
      expect([idsOf(row?.tickets as Fields[]), row?.open_ticket_count]).toEqual([seen, seen.length]);
    }
  });

  it('searched', async () => {
    for (const [api, seen] of cases()) {
      const all = (await api.get('/search?q=walrus')).expect(200);
      const found = (all.body.data as { tickets: Fields[] }).tickets;
      expect([idsOf(found), (all.meta.totals as { tickets: number }).tickets]).toEqual([seen, seen.length]);
      for (const q of [SECRET, 'zebrafisch', foreign.code as string]) {
        const { data, meta } = (await api.get(`/search?q=${q}`)).expect(200).body as {
          data: { tickets: Fields[] };
          meta: { totals: { tickets: number }; corrected?: unknown };
        };
        const isSeen = seen.includes(foreign.id) && (q !== 'zebrafisch' || meta.corrected !== undefined);
        expect(idsOf(data.tickets)).toEqual(isSeen ? [foreign.id] : []);
        if (!seen.includes(foreign.id)) expect(meta.corrected).toBeUndefined();
      }
    }
  });

  it('in figures: own ones, and those of one of the own teams', async () => {
    const created = async (api: Api, query = ''): Promise<unknown> =>
      ((await api.get(`/stats${query}`)).expect(200).data.tickets as { total: unknown }).total;
    expect([await created(solo.api), await created(lead.api)]).toEqual([1, 3]);
    expect(await created(mate.api, `?team_id=${team.id}`)).toBe(1);
    expect((await mate.api.get('/stats')).expect(422).codes).toEqual({ team_id: 'required' });
    const other = await make(home.api, '/teams');
    expect((await mate.api.get(`/stats?team_id=${other.id}`)).expect(422).codes).toEqual({ team_id: 'not_found' });
    expect((await solo.api.get(`/stats?assigned_to=${lead.id}`)).expect(422).codes).toEqual({
      assigned_to: 'not_found',
    });
    (await solo.api.get('/sla/compliance')).expect(200);
  });

  it('in the log of events and the audit log', async () => {
    const role = await make(home.api, '/roles', {
      permissions: ['events.read', 'audit-logs.read', 'tickets.read'],
      ticket_scope: 'assigned',
    });
    const watcher = await makePerson(server, home, { role_id: role.id });
    const mine = await makeTicket(home.api, { assigned_to: watcher.id });
    await until('the events are settled', async () => {
      const { rows } = (await lead.api.get(`/events?object=ticket&object_id=${mine.id}`)).expect(200);
      return rows.length > 0;
    });
    const told = (await watcher.api.get('/events?limit=100')).expect(200);
    const about = told.rows.map((row) => row.data as { object: string; id: number });
    expect(about.every(({ object, id }) => object !== 'ticket' || id === mine.id)).toBe(true);
    expect(about.some(({ object }) => object === 'company')).toBe(false);
    expect(about.some(({ id }) => id === mine.id)).toBe(true);
    const logged = (await watcher.api.get('/audit-logs?resource=ticket')).expect(200);
    expect(logged.rows.every((row) => row.resource_id === mine.id)).toBe(true);
  });

  it('as files: listed, expanded, opened, linked to and deleted', async () => {
    const [mine, theirs] = [await makeTicket(home.api, { assigned_to: solo.id }), await makeTicket(home.api)];
    const files: Fields[] = [];
    for (const ticket of [mine, theirs]) {
      const file = await uploaded(home.api, 'a log');
      const body = { body: 'See', attachment_ids: [file.id] };
      (await home.api.post(`/tickets/${ticket.id}/comments`, body)).expect(201);
      files.push(file);
    }
    const ids = files.map(({ id }) => id);
    const listed = (await solo.api.get(`/attachments?ids=${ids.join(',')}`)).expect(200);
    expect([idsOf(listed.rows), listed.meta.total]).toEqual([[ids[0]], 1]);
    const [own, other] = ids.map((id) => `/attachments/${id}`);
    for (const rest of ['', '/content']) {
      (await solo.api.get(`${own}${rest}`)).expect(200);
      (await solo.api.get(`${other}${rest}`)).expect(404);
    }
    (await solo.api.post(`${other}/link`, {})).expect(404);
    (await solo.api.delete(String(other))).expect(404);
    const light = await makePerson(server, home, { role: 'light_agent' });
    (await light.api.get(String(other))).expect(200);
    (await light.api.post(`${other}/link`, {})).expect(403);
    (await solo.api.delete(String(own))).expect(200);
  });
});

describe('what is not seen is not changed', () => {
  it.each([
    ['PATCH', '', { priority: 'low' }],
    ['DELETE', '', undefined],
    ['POST', '/assign', { user_id: null }],
    ['POST', '/escalate', {}],
    ['POST', '/reopen', undefined],
    ['POST', '/rate', { score: 5 }],
    ['POST', '/rating-link', undefined],
    ['POST', '/comments', { body: 'Mine now' }],
    ['POST', '/comments', { body: 'Mine now', is_internal: true }],
  ] as const)('%s /tickets/{id}%s %j', async (method, rest, body) => {
    const boss = await makePerson(server, home, { role: 'supervisor', ticket_scope: 'assigned' });
    const before = (await home.api.get(`/tickets/${foreign.id}`)).header('etag');
    (await boss.api.send(method, `/tickets/${foreign.id}${rest}`, { body })).expect(404);
    expect((await home.api.get(`/tickets/${foreign.id}`)).header('etag')).toBe(before);
  });

  it('merged, in either direction', async () => {
    (await solo.api.post(`/tickets/${foreign.id}/merge`, { into_id: own.id })).expect(404);
    expect((await solo.api.post(`/tickets/${own.id}/merge`, { into_id: foreign.id })).expect(422).codes).toEqual({
      into_id: 'not_found',
    });
  });

  it('in a batch', async () => {
    const operations = [
      { op: 'update', id: foreign.id, data: { priority: 'low' } },
      { op: 'comment', id: foreign.id, data: { body: 'x' } },
      { op: 'add_tags', id: own.id, data: { tags: 'seen' } },
    ];
    const { data } = (await solo.api.post('/tickets/batch', { operations })).expect(200);
    expect((data.results as { status: number }[]).map(({ status }) => status)).toEqual([404, 404, 200]);
  });

  it('named by other records', async () => {
    const body = { title: 'Call', starts_at: '2031-05-05T09:00:00Z', host_id: solo.id };
    expect((await solo.api.post('/meetings', { ...body, ticket_id: foreign.id })).expect(422).codes).toEqual({
      ticket_id: 'not_found',
    });
    const meeting = (await solo.api.post('/meetings', { ...body, ticket_id: own.id })).expect(201).data;
    (await home.api.patch(`/meetings/${meeting.id}`, { ticket_id: foreign.id })).expect(200);
    expect((await solo.api.get(`/meetings/${meeting.id}?expand=ticket`)).expect(200).data.ticket).toBeNull();
  });
});

it('a ticket that is given away is answered once more, as it was asked for, and then gone', async () => {
  const ticket = await makeTicket(home.api, { assigned_to: solo.id });
  const heir = await makeUser(home.api);
  const path = `/tickets/${ticket.id}`;
  const given = (await solo.api.post(`${path}/assign?expand=assignee`, { user_id: heir.id })).expect(200).data;
  expect((given.assignee as Fields).id).toBe(heir.id);
  (await solo.api.get(path)).expect(404);
  const made = (await solo.api.post('/tickets?expand=company', { subject: 'For somebody' })).expect(201).data;
  (await solo.api.get(`/tickets/${made.id}`)).expect(404);
});

it('a comment on a ticket that was merged away goes where its writer sees it', async () => {
  const [mine, target] = [await makeTicket(home.api, { assigned_to: solo.id }), await makeTicket(home.api)];
  (await home.api.post(`/tickets/${mine.id}/merge`, { into_id: target.id })).expect(200);
  (await solo.api.post(`/tickets/${mine.id}/comments`, { body: 'x' })).expect(404);
});

it('a change of the scope or of the teams holds within a moment', async () => {
  const person = await makePerson(server, home, { ticket_scope: 'teams' });
  (await person.api.get(`/tickets/${teams.id}`)).expect(404);
  (await home.api.patch(`/users/${person.id}`, { team_ids: [team.id] })).expect(200);
  await until('the team is seen', async () => (await person.api.get(`/tickets/${teams.id}`)).status === 200);
  (await home.api.patch(`/users/${person.id}`, { ticket_scope: 'assigned' })).expect(200);
  await until('it is not seen any more', async () => (await person.api.get(`/tickets/${teams.id}`)).status === 404);
});
