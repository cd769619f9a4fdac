import { tellingWords } from '../../src/areas/tickets/relations/similar-words';
import type { Answer, Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket, makeUser } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { CSV, recordsOf } from '../support/tables';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await makeWorkspace(server);
});

const ticketOf = async (id: number): Promise<Fields> => (await workspace.api.get(`/tickets/${id}`)).expect(200).data;
const under = (id: number, parent_id: unknown): Promise<Answer> => workspace.api.patch(`/tickets/${id}`, { parent_id });
const typesSince = async (id: number): Promise<string[]> =>
  (await eventsOf(server, workspace, 'ticket', id)).slice(1).map(({ type }) => type);

describe('a ticket below another', () => {
  it('is found by it, shows it, and leaves it when it goes', async () => {
    const parent = await makeTicket(workspace.api, { type: 'problem' });
    const child = await makeTicket(workspace.api, { type: 'incident', parent_id: parent.id });
    const other = await makeTicket(workspace.api);
    (await under(other.id, parent.id)).expect(200);
    const found = await workspace.api.get(`/tickets?parent_id=${parent.id}&sort=id&fields=id&expand=parent`);
    expect(found.rows).toMatchObject([
      { id: child.id, parent: { id: parent.id } },
      { id: other.id, parent: { id: parent.id } },
    ]);
    (await under(other.id, null)).expect(200);
    (await workspace.api.delete(`/tickets/${parent.id}`)).expect(200);
    expect(await ticketOf(child.id)).toMatchObject({ parent_id: null });
  });

  it('is never above it, nor five levels deep, nor below what was merged', async () => {
    const ids: number[] = [];
    for (let level = 0; level < 5; level++)
      ids.push((await makeTicket(workspace.api, level > 0 ? { parent_id: ids.at(-1) } : {})).id);
    const [top = 0, second = 0] = ids;
    const deepest = ids.at(-1) ?? 0;
    expect((await under(top, top)).expect(422).codes).toEqual({ parent_id: 'cycle' });
    expect((await under(top, deepest)).expect(422).codes).toEqual({ parent_id: 'cycle' });
    const made = await workspace.api.post('/tickets', { subject: 'x', parent_id: deepest });
    expect(made.expect(422).codes).toEqual({ parent_id: 'max_depth' });
    expect((await under(top, 8_999_999_999_999)).expect(422).codes).toEqual({ parent_id: 'not_found' });
    const [source, target] = [await makeTicket(workspace.api), await makeTicket(workspace.api)];
    (await workspace.api.post(`/tickets/${source.id}/merge`, { into_id: target.id })).expect(200);
    expect((await under(second, source.id)).expect(422).codes).toEqual({ parent_id: 'merged' });
  });

  it('of two tickets put below each other at once, stays above', async () => {
    for (let round = 0; round < 4; round++) {
      const [a, b] = [await makeTicket(workspace.api), await makeTicket(workspace.api)];
      const batch = { operations: [{ op: 'update', id: b.id, data: { parent_id: a.id } }] };
      const answers = await Promise.all([under(a.id, b.id), workspace.api.post('/tickets/batch', batch)]);
      expect(answers.map(({ status }) => status < 500)).toEqual([true, true]);
      const parents = [(await ticketOf(a.id)).parent_id, (await ticketOf(b.id)).parent_id];
      expect(parents.filter((parent) => parent !== null)).toHaveLength(1);
    }
  });
});

describe('a follow-up', () => {
  const followUp = (id: number, body?: object): Promise<Answer> => workspace.api.post(`/tickets/${id}/follow-up`, body);

  it('goes on with a closed ticket, like it but for what is said', async () => {
    const closed = await makeTicket(workspace.api, {
      subject: 'Printer jams',
      description: 'The old story',
      status: 'closed',
      type: 'incident',
      priority: 'urgent',
      requester_email: 'ada@people.example',
      tags: 'printer',
      cc_emails: ['bob@people.example'],
      custom_fields: { floor: 3 },
    });
    const made = (await followUp(closed.id, { description: 'It jams again', tags: 'again' })).expect(201).data;
    expect(made).toMatchObject({
      followup_of_id: closed.id,
      status: 'open',
      subject: 'Printer jams',
      description: 'It jams again',
      type: 'incident',
      priority: 'medium',
      requester_email: 'ada@people.example',
      contact_id: closed.contact_id,
      tags: 'again',
      cc_emails: ['bob@people.example'],
      custom_fields: { floor: 3 },
    });
    expect(await ticketOf(closed.id)).toMatchObject({ status: 'closed' });
    expect(await typesSince(closed.id)).toEqual(['ticket.sla_met', 'ticket.followed_up']);
    const found = await workspace.api.get(`/tickets?followup_of_id=${closed.id}&fields=id&expand=followup_of`);
    expect(found.rows).toMatchObject([{ id: made.id, followup_of: { id: closed.id } }]);
  });

  it('is for closed tickets alone, and not for merged ones', async () => {
    const [open, target] = [await makeTicket(workspace.api), await makeTicket(workspace.api)];
    expect((await followUp(open.id)).expect(422).codes).toEqual({ status: 'invalid_transition' });
    (await workspace.api.post(`/tickets/${open.id}/merge`, { into_id: target.id })).expect(200);
    expect((await followUp(open.id)).expect(422).codes).toEqual({ id: 'merged' });
    expect((await followUp(8_999_999_999_999)).status).toBe(404);
    const closed = await makeTicket(workspace.api, { status: 'closed' });
    expect((await followUp(closed.id, { colour: 'red', priority: 'top' })).expect(422).codes).toEqual({
      colour: 'unknown_field',
      priority: 'enum',
    });
    const key = { 'idempotency-key': `follow-up-${closed.id}` };
    const [first, again] = [
      await workspace.api.post(`/tickets/${closed.id}/follow-up`, {}, key),
      await workspace.api.post(`/tickets/${closed.id}/follow-up`, {}, key),
    ];
    expect(again.text).toBe(first.expect(201).text);
  });
});

describe('similar tickets', () => {
  it('share rare words, most of them first, whoever asks sees them as they want', async () => {
    const own = await makeWorkspace(server);
    const make = (subject: string, more: object = {}): Promise<Fields> => makeTicket(own.api, { subject, ...more });
    const asked = await make('Fuser of the laserjet squeaks', { description: 'Since monday, on floor three' });
    const near = await make('Laserjet fuser squeaks again', { status: 'resolved' });
    const far = await make('The laserjet is out of toner');
    await make('Holidays of the team');
    const similar = (query = ''): Promise<Answer> => own.api.get(`/tickets/${asked.id}/similar${query}`);
    const found = (await similar()).expect(200);
    expect(found.rows.map(({ id }) => id)).toEqual([near.id, far.id]);
    const [first = 0, second = 0] = found.rows.map(({ similarity }) => similarity as number);
    expect(first).toBeGreaterThan(second);
    expect(first).toBeLessThanOrEqual(1);
    expect(found.meta).toMatchObject({ total: 2, limit: 10, offset: 0, has_more: false });
    expect((await similar('?limit=1&fields=subject')).rows).toEqual([
      { subject: 'Laserjet fuser squeaks again', similarity: first },
    ]);
    const table = await own.api.get(`/tickets/${asked.id}/similar?fields=subject`, { accept: CSV });
    expect(recordsOf(table.expect(200).text)).toEqual([
      { subject: 'Laserjet fuser squeaks again', similarity: String(first) },
      { subject: 'The laserjet is out of toner', similarity: String(second) },
    ]);
    expect((await similar('?status=open&fields=id')).rows).toEqual([{ id: far.id, similarity: second }]);
    expect((await similar('?page=2')).expect(422).codes).toEqual({ page: 'unknown_parameter' });
    expect((await similar('?limit=51')).expect(422).codes).toEqual({ limit: 'max' });
    expect((await similar('?status=new')).expect(422).codes).toEqual({ status: 'enum' });
    const foreign = await makeWorkspace(server);
    await makeTicket(foreign.api, { subject: 'Laserjet fuser squeaks' });
    expect((await foreign.api.get(`/tickets/${asked.id}/similar`)).status).toBe(404);
  });

  it('are none where a ticket has no words', async () => {
    const { id } = await makeTicket(workspace.api, { subject: '?!', description: '🙂' });
    expect((await workspace.api.get(`/tickets/${id}/similar`)).expect(200).rows).toEqual([]);
  });

  it('are looked for by few words, however long the text is', () => {
    const body = Array.from({ length: 5_000 }, (_, index) => `word${index}`).join(' ');
    const words = tellingWords('Größe of the VPN-Tunnel, a VPN', body, new Set(['tunnel ']));
    expect(words).toHaveLength(16);
    expect(words.slice(0, 4)).toEqual([
      { word: 'grosse', weight: 2 },
      { word: 'the', weight: 2 },
      { word: 'vpn', weight: 2 },
      { word: 'word100', weight: 1 },
    ]);
  });
});

describe('de-escalating', () => {
  const deescalate = (id: number, body?: object): Promise<Answer> =>
    workspace.api.post(`/tickets/${id}/deescalate`, body);
  const escalate = async (id: number, body?: object): Promise<void> =>
    void (await workspace.api.post(`/tickets/${id}/escalate`, body)).expect(200);

  it('takes one escalation back after the other, with traces of its own', async () => {
    const { id } = await makeTicket(workspace.api, { priority: 'medium', tags: 'vip' });
    await escalate(id);
    await escalate(id);
    expect(await ticketOf(id)).toMatchObject({ priority: 'urgent', escalation_level: 2, tags: 'vip,escalated' });
    const once = (await deescalate(id, { reason: 'Under control' })).expect(200).data;
    expect(once).toMatchObject({ priority: 'high', escalation_level: 1, tags: 'vip,escalated' });
    const twice = (await deescalate(id)).expect(200).data;
    expect(twice).toMatchObject({ priority: 'medium', escalation_level: 0, escalated_at: null, tags: 'vip' });
    expect((twice.escalations as Fields[]).map(({ level }) => level)).toEqual([1, 2, 1, 0]);
    expect((await typesSince(id)).slice(2)).toEqual(['ticket.deescalated', 'ticket.deescalated']);
    const notes = (await workspace.api.get(`/tickets/${id}/comments`)).rows;
    expect(notes[2]).toMatchObject({
      is_internal: true,
      body: 'De-escalated to level 1: priority urgent to high.\n\nUnder control',
    });
    expect(notes).toHaveLength(Number(twice.comment_count));
    expect((await deescalate(id)).expect(422).codes).toEqual({ escalation_level: 'min' });
  });

  it('leads back to the first priority, however often the highest level was asked for', async () => {
    const { id } = await makeTicket(workspace.api, { priority: 'low' });
    for (let times = 0; times < 5; times++) await escalate(id);
    const back: unknown[] = [];
    for (let times = 0; times < 3; times++) back.push((await deescalate(id)).expect(200).data.priority);
    expect(back).toEqual(['high', 'medium', 'low']);
  });

  it('keeps a priority that somebody set since, or takes the one that is asked for, and gives it to whom', async () => {
    const user = await makeUser(workspace.api);
    const { id } = await makeTicket(workspace.api, { priority: 'low' });
    await escalate(id);
    (await workspace.api.patch(`/tickets/${id}`, { priority: 'urgent' })).expect(200);
    expect((await deescalate(id, { priority: 'medium', to_user_id: 0 })).expect(422).codes).toEqual({
      to_user_id: 'min',
    });
    const given = (await deescalate(id, { to_user_id: user.id })).expect(200).data;
    expect(given).toMatchObject({ priority: 'urgent', assigned_to: user.id });
    await escalate(id);
    expect((await deescalate(id, { priority: 'low' })).expect(200).data).toMatchObject({ priority: 'low' });
    await escalate(id);
    expect((await deescalate(id, { priority: 'urgent' })).expect(422).codes).toEqual({ priority: 'max' });
    (await workspace.api.patch(`/tickets/${id}`, { status: 'resolved' })).expect(200);
    expect((await deescalate(id)).expect(422).codes).toEqual({ status: 'invalid_transition' });
  });
});
