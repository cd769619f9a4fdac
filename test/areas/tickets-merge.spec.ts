import type { Answer, Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket, makeUser } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { makePerson } from '../support/people';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await makeWorkspace(server);
});

const merge = (id: number, into_id: unknown, more: object = {}, headers?: Record<string, string>): Promise<Answer> =>
  workspace.api.post(`/tickets/${id}/merge`, { into_id, ...more }, headers);
const ticketOf = async (id: number): Promise<Fields> => (await workspace.api.get(`/tickets/${id}`)).data;

/** Two tickets, the first merged into the second. */
async function merged(body: Record<string, unknown> = {}): Promise<[source: number, target: number]> {
  const [source, target] = [await makeTicket(workspace.api, body), await makeTicket(workspace.api)];
  (await merge(source.id, target.id)).expect(200);
  return [source.id, target.id];
}

describe('merging', () => {
  it('closes the one and leads to the other, and its event names both', async () => {
    const [source, target] = [await makeTicket(workspace.api), await makeTicket(workspace.api, { subject: 'Goes on' })];
    const { data } = (await merge(source.id, target.id, { comment: 'See there' })).expect(200);
    expect(data).toMatchObject({ id: source.id, status: 'closed', merged_into_id: target.id });
    expect((await workspace.api.get(`/tickets/${target.id}/comments`)).rows).toMatchObject([
      { body: 'See there', is_internal: false },
    ]);
    const events = (await eventsOf(server, workspace, 'ticket', source.id)).slice(1);
    expect(events.map(({ type }) => type)).toEqual([
      'ticket.updated',
      'ticket.status_changed',
      'ticket.closed',
      'ticket.merged',
    ]);
    const [entry] = (await workspace.api.get(`/tickets/${source.id}/history`)).rows;
    expect(entry?.related).toEqual({ merged_into: { id: target.id, code: target.code } });
  });

  it('tells who sees the one nothing of the other but its name', async () => {
    const person = await makePerson(server, workspace, { role: 'agent', ticket_scope: 'assigned' });
    const source = await makeTicket(workspace.api, { assigned_to: person.id });
    const target = await makeTicket(workspace.api, { subject: 'Zirconium', description: 'Zirconium' });
    (await merge(source.id, target.id)).expect(200);
    (await person.api.get(`/tickets/${target.id}`)).expect(404);
    const seen = await person.api.get(`/tickets/${source.id}/history`);
    expect(seen.expect(200).rows[0]?.related).toEqual({ merged_into: { id: target.id, code: target.code } });
    const events = await workspace.api.get(`/events?object=ticket&object_id=${source.id}`);
    expect(seen.text + events.expect(200).text).not.toContain('Zirconium');
  });

  it('leads on when what stands between is deleted', async () => {
    const [first, second] = await merged();
    const last = await makeTicket(workspace.api);
    (await merge(second, last.id)).expect(200);
    (await workspace.api.delete(`/tickets/${second}`)).expect(200);
    expect(await ticketOf(first)).toMatchObject({ status: 'closed', merged_into_id: last.id });
    const comment = await workspace.api.post(`/tickets/${first}/comments`, { body: 'More', author_type: 'requester' });
    expect(comment.expect(201).data.ticket_id).toBe(last.id);
    const [entry] = (await workspace.api.get(`/tickets/${first}/history`)).rows;
    expect(entry).toMatchObject({ changes: { merged_into_id: { from: second, to: last.id } } });
  });

  it('takes a ticket that is already closed', async () => {
    const [source, target] = await merged({ status: 'closed' });
    expect(await ticketOf(source)).toMatchObject({ status: 'closed', merged_into_id: target });
  });

  it('refuses itself, nothing, and what was itself merged', async () => {
    const [source, target] = await merged();
    const other = await makeTicket(workspace.api);
    expect((await merge(other.id, other.id)).expect(422).codes).toEqual({ into_id: 'invalid' });
    expect((await merge(other.id, 8_999_999_999_999)).expect(422).codes).toEqual({ into_id: 'not_found' });
    expect((await merge(other.id, source)).expect(422).codes).toEqual({ into_id: 'merged' });
    expect((await merge(source, other.id)).expect(422).codes).toEqual({ id: 'merged' });
    expect((await merge(8_999_999_999_999, other.id)).status).toBe(404);
    expect((await merge(other.id, undefined)).expect(422).error.missing).toEqual(['into_id']);
    expect(await ticketOf(source)).toMatchObject({ merged_into_id: target });
    expect(await ticketOf(other.id)).toMatchObject({ status: 'open', merged_into_id: null });
  });

  it('carries what was asked and said, who takes part, and the links, and counts all of it', async () => {
    const { api } = await makeWorkspace(server);
    const [user, other] = [await makeUser(api), await makeTicket(api)];
    const source = await makeTicket(api, {
      subject: 'It jams',
      description: 'Since monday',
      requester_email: 'ada@people.example',
      cc_emails: ['bob@people.example', 'eve@people.example'],
    });
    const target = await makeTicket(api, { requester_email: 'eve@people.example', cc_emails: ['bob@people.example'] });
    const child = await makeTicket(api, { parent_id: source.id });
    const say = (body: object): Promise<Answer> => api.post(`/tickets/${source.id}/comments`, body);
    const first = (await say({ body: 'On our way' })).expect(201).data;
    (await say({ body: 'Note', is_internal: true })).expect(201);
    (await say({ body: 'Thanks', author_type: 'requester' })).expect(201);
    (await api.post(`/tickets/${source.id}/followers`, { user_id: user.id })).expect(201);
    for (const [id, type] of [
      [target.id, 'relates'],
      [other.id, 'relates'],
      [other.id, 'blocks'],
    ] as const)
      (await api.post(`/tickets/${source.id}/links`, { type, linked_ticket_id: id })).expect(201);
    (await api.post(`/tickets/${target.id}/links`, { type: 'relates', linked_ticket_id: other.id })).expect(201);
    (await api.post(`/tickets/${source.id}/merge`, { into_id: target.id })).expect(200);
    const comments = (await api.get(`/tickets/${target.id}/comments`)).rows;
    expect(comments.map(({ body, author_type }) => [body, author_type])).toEqual([
      [`**It jams** (${String(source.code)})\n\nSince monday`, 'requester'],
      ['On our way', 'agent'],
      ['Note', 'agent'],
      ['Thanks', 'requester'],
    ]);
    expect(comments[0]).toMatchObject({ author_email: 'ada@people.example', created_at: source.created_at });
    expect(comments[1]).toMatchObject({ id: first.id, is_first_response: false, created_at: first.created_at });
    expect((await api.get(`/tickets/${target.id}`)).data).toMatchObject({
      cc_emails: ['bob@people.example', 'ada@people.example'],
      comment_count: 4,
      reply_count: 1,
      last_requester_comment_at: comments[3]?.created_at,
    });
    expect((await api.get(`/tickets/${source.id}`)).data).toMatchObject({ comment_count: 0, reply_count: 0 });
    const parts = async (path: string): Promise<unknown[]> =>
      (await api.get(path)).rows.map(({ type, linked_ticket_id, user_id }) => [type, linked_ticket_id, user_id]);
    expect(await parts(`/tickets/${target.id}/links?sort=id`)).toEqual([
      ['blocks', other.id, undefined],
      ['relates', other.id, undefined],
    ]);
    expect(await parts(`/tickets/${source.id}/links`)).toEqual([]);
    expect(await parts(`/tickets/${target.id}/followers`)).toEqual([[undefined, undefined, user.id]]);
    expect((await api.get(`/tickets/${child.id}`)).data.parent_id).toBe(target.id);
    expect((await api.post(`/tickets/${target.id}/merge`, { into_id: child.id })).expect(422).codes).toEqual({
      into_id: 'cycle',
    });
  });

  it('lets a carried comment be deleted without a trace of its text, also with the ticket that went on', async () => {
    const own = await makeWorkspace(server);
    const [source, target] = [await makeTicket(own.api), await makeTicket(own.api)];
    const write = async (body: string): Promise<number> =>
      (await own.api.post(`/tickets/${source.id}/comments`, { body })).expect(201).data.id;
    const [one] = [await write('Secret one'), await write('Secret two')];
    (await own.api.post(`/tickets/${source.id}/merge`, { into_id: target.id })).expect(200);
    const told = async (): Promise<string> => JSON.stringify(await eventsOf(server, own, 'ticket', source.id));
    (await own.api.delete(`/tickets/${target.id}/comments/${one}`)).expect(200);
    expect(await told()).not.toContain('Secret one');
    expect(await told()).toContain('Secret two');
    (await own.api.delete(`/tickets/${target.id}`)).expect(200);
    expect(await told()).not.toContain('Secret');
  });

  it('heeds If-Match', async () => {
    const [source, target] = [await makeTicket(workspace.api), await makeTicket(workspace.api)];
    expect((await merge(source.id, target.id, {}, { 'if-match': '"5"' })).status).toBe(412);
    expect(await ticketOf(source.id)).toMatchObject({ status: 'open', merged_into_id: null });
    expect((await merge(source.id, target.id, {}, { 'if-match': '"1"' })).status).toBe(200);
  });

  it('of two tickets into each other at once succeeds for one of them', async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await makeTicket(workspace.api), await makeTicket(workspace.api)];
      const answers = await Promise.all([merge(a.id, b.id), merge(b.id, a.id)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    }
  });
});

describe('a merged ticket', () => {
  it('takes no change but comments', async () => {
    const [source] = await merged();
    const user = await makeUser(workspace.api);
    const path = `/tickets/${source}`;
    const answers = [
      await workspace.api.patch(path, { subject: 'x' }),
      await workspace.api.patch(path, { status: 'open' }),
      await workspace.api.post(`${path}/assign`, { user_id: user.id }),
      await workspace.api.post(`${path}/escalate`),
      await workspace.api.post(`${path}/deescalate`),
      await workspace.api.post(`${path}/reopen`),
    ];
    for (const answer of answers) expect(answer.expect(422).codes).toEqual({ id: 'merged' });
    expect(await ticketOf(source)).toMatchObject({ status: 'closed', assigned_to: null, escalation_level: 0 });
  });

  it('leads replies to the ticket at the end of the chain, which they reopen', async () => {
    const [first, second] = await merged();
    const last = (await makeTicket(workspace.api)).id;
    (await merge(second, last)).expect(200);
    (await workspace.api.patch(`/tickets/${last}`, { status: 'resolved' })).expect(200);
    const reply = await workspace.api.post(`/tickets/${first}/comments`, {
      body: 'Still broken',
      author_type: 'requester',
    });
    expect(reply.expect(201).data).toMatchObject({ ticket_id: last });
    expect(await ticketOf(last)).toMatchObject({ status: 'open', reopened_count: 1, comment_count: 1 });
    expect((await ticketOf(first)).comment_count).toBe(0);
    expect(await ticketOf(second)).toMatchObject({ status: 'closed', comment_count: 0 });
  });

  it('stays when the ticket it was merged into goes', async () => {
    const [source, target] = await merged();
    (await workspace.api.delete(`/tickets/${target}`)).expect(200);
    expect(await ticketOf(source)).toMatchObject({ status: 'closed', merged_into_id: null });
  });
});
