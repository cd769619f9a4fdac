import type { Answer, Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { insist } from '../support/insist';
import { useSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await makeWorkspace(server);
});

const comment = (id: number, body: Record<string, unknown> = {}): Promise<Answer> =>
  workspace.api.post(`/tickets/${id}/comments`, { body: 'Hello', ...body });
const ticketOf = async (id: number): Promise<Fields> => (await workspace.api.get(`/tickets/${id}`)).data;
const typesOf = async (id: number): Promise<string[]> =>
  (await eventsOf(server, workspace, 'ticket', id)).slice(1).map(({ type }) => type);

describe('a public comment of an agent', () => {
  it('counts as a reply and, the first time, as the first response', async () => {
    const { id } = await makeTicket(workspace.api);
    const first = (await comment(id)).expect(201).data;
    expect(first).toMatchObject({
      ticket_id: id,
      author_type: 'agent',
      is_internal: false,
      is_first_response: true,
      channel: 'portal',
    });
    const answered = await ticketOf(id);
    expect(answered).toMatchObject({ status: 'open', comment_count: 1, reply_count: 1 });
    expect(answered.first_response_at).toEqual(expect.any(String));
    expect((await comment(id)).data.is_first_response).toBe(false);
    expect(await ticketOf(id)).toMatchObject({ reply_count: 2, first_response_at: answered.first_response_at });
    expect(await typesOf(id)).toEqual(['ticket.comment_added', 'ticket.sla_met', 'ticket.comment_added']);
  });
});

describe('an internal comment', () => {
  it('is counted, and is neither a reply nor a response', async () => {
    const { id } = await makeTicket(workspace.api);
    expect((await comment(id, { is_internal: true })).expect(201).data.is_first_response).toBe(false);
    expect(await ticketOf(id)).toMatchObject({
      comment_count: 1,
      reply_count: 0,
      first_response_at: null,
      last_agent_comment_at: null,
    });
  });

  it('cannot be by the requester', async () => {
    const { id } = await makeTicket(workspace.api);
    const answer = await comment(id, { is_internal: true, author_type: 'requester' });
    expect([answer.status, answer.codes]).toEqual([422, { is_internal: 'invalid' }]);
  });
});

describe('a reply of the requester', () => {
  it('is theirs by name and address, and no response', async () => {
    const ticket = await makeTicket(workspace.api, { requester_email: 'ada@example.com', requester_name: 'Ada' });
    const reply = (await comment(ticket.id, { author_type: 'requester' })).expect(201).data;
    expect(reply).toMatchObject({ author_id: ticket.contact_id, author_name: 'Ada', author_email: 'ada@example.com' });
    const after = await ticketOf(ticket.id);
    expect(after).toMatchObject({ reply_count: 0, first_response_at: null });
    expect(after.last_requester_comment_at).toEqual(expect.any(String));
  });

  it.each(['on_hold', 'resolved', 'closed'])('brings back a ticket that is %s', async (status) => {
    const { id } = await makeTicket(workspace.api, { status });
    (await comment(id, { author_type: 'requester' })).expect(201);
    expect(await ticketOf(id)).toMatchObject({
      status: 'open',
      reopened_count: status === 'on_hold' ? 0 : 1,
      comment_count: 1,
    });
    const reopened = status === 'on_hold' ? [] : ['ticket.reopened'];
    expect(await typesOf(id)).toEqual([
      ...(status === 'on_hold' ? [] : ['ticket.sla_met']),
      'ticket.updated',
      'ticket.status_changed',
      ...reopened,
      'ticket.comment_added',
      'ticket.sla_resumed',
    ]);
  });

  it.each(['open', 'in_progress'])('leaves a ticket that is %s', async (status) => {
    const { id } = await makeTicket(workspace.api, { status });
    (await comment(id, { author_type: 'requester' })).expect(201);
    expect(await ticketOf(id)).toMatchObject({ status });
    expect(await typesOf(id)).toEqual(['ticket.comment_added']);
  });

  it('after the reopening window is kept without reopening', async () => {
    const other = await makeWorkspace(server);
    await sql.rows(`UPDATE workspaces SET settings = settings || '{"reopen_window_days": 1}' WHERE id = $1`, [
      other.id,
    ]);
    const { id } = await makeTicket(other.api, { status: 'closed' });
    await sql.rows(`UPDATE tickets SET closed_at = now() - interval '2 days' WHERE id = $1`, [id]);
    (await other.api.post(`/tickets/${id}/comments`, { body: 'x', author_type: 'requester' })).expect(201);
    expect((await other.api.get(`/tickets/${id}`)).data).toMatchObject({ status: 'closed', comment_count: 1 });
  });

  it('of an agent does not reopen', async () => {
    const { id } = await makeTicket(workspace.api, { status: 'resolved' });
    (await comment(id)).expect(201);
    expect(await ticketOf(id)).toMatchObject({ status: 'resolved' });
  });
});

describe('the list of comments', () => {
  it('is oldest first, and 404 for a ticket that does not exist', async () => {
    const { id } = await makeTicket(workspace.api);
    const made = [await comment(id, { body: 'a' }), await comment(id, { body: 'b' }), await comment(id, { body: 'c' })];
    expect((await workspace.api.get(`/tickets/${id}/comments`)).rows).toEqual(made.map(({ data }) => data));
    expect((await workspace.api.get('/tickets/8999999999999/comments')).status).toBe(404);
    expect((await comment(8_999_999_999_999)).status).toBe(404);
  });

  it('belongs to its ticket: a comment is not found under another', async () => {
    const [one, two] = [await makeTicket(workspace.api), await makeTicket(workspace.api)];
    const { id } = (await comment(one.id)).data;
    const path = `/tickets/${two.id}/comments/${id}`;
    expect((await workspace.api.get(path)).status).toBe(404);
    expect((await workspace.api.patch(path, { body: 'x' })).status).toBe(404);
    expect((await workspace.api.delete(path)).status).toBe(404);
    expect((await ticketOf(two.id)).comment_count).toBe(0);
  });
});

describe('editing and deleting', () => {
  it('keeps the previous text in the history', async () => {
    const { id } = await makeTicket(workspace.api);
    const { id: commentId } = (await comment(id, { body: 'before' })).data;
    const edited = (await workspace.api.patch(`/tickets/${id}/comments/${commentId}`, { body: 'after' })).expect(
      200,
    ).data;
    expect(edited).toMatchObject({ body: 'after', edited_at: expect.any(String) as string });
    const [entry] = (await workspace.api.get(`/tickets/${id}/history`)).rows;
    expect(entry).toMatchObject({
      type: 'ticket.comment_updated',
      related: { comment: { id: commentId, previous_body: 'before', body: 'after' } },
    });
  });

  it('changes what is kept beside the text alone, and nothing where nothing is said', async () => {
    const { id } = await makeTicket(workspace.api);
    const before = (await comment(id, { body: 'as it was' })).data;
    const path = `/tickets/${id}/comments/${before.id}`;
    const known = (await workspace.api.patch(path, { external_id: `c-${before.id}` })).expect(200);
    expect(known.data).toMatchObject({ body: 'as it was', external_id: `c-${before.id}`, edited_at: null });
    const more = (await workspace.api.patch(path, { custom_fields: { mood: 'calm' } })).expect(200);
    expect(more.data).toMatchObject({
      external_id: `c-${before.id}`,
      custom_fields: { mood: 'calm' },
      edited_at: null,
    });
    for (const body of [{}, { body: 'as it was', custom_fields: { mood: 'calm' } }]) {
      const same = (await workspace.api.patch(path, body)).expect(200);
      expect([same.data, same.header('etag')]).toEqual([more.data, more.header('etag')]);
    }
    const { rows } = (await workspace.api.get(`/tickets/${id}/history?type=ticket.comment_updated`)).expect(200);
    expect(rows.map(({ related }) => related)).toEqual([
      { comment: { id: before.id, custom_fields: { mood: 'calm' } } },
      { comment: { id: before.id, external_id: `c-${before.id}` } },
    ]);
    expect((await workspace.api.patch(path, { body: null })).expect(422).codes).toEqual({ body: 'type' });
    expect((await workspace.api.patch(path, { is_internal: true })).expect(422).codes).toEqual({
      is_internal: 'immutable',
    });
  });

  it('takes a deleted comment out of the counts, and its text out of the history of the deletion', async () => {
    const { id } = await makeTicket(workspace.api);
    const [reply, note] = [(await comment(id)).data, (await comment(id, { is_internal: true, body: 'secret' })).data];
    (await workspace.api.delete(`/tickets/${id}/comments/${note.id}`)).expect(200);
    expect(await ticketOf(id)).toMatchObject({ comment_count: 1, reply_count: 1 });
    const before = await ticketOf(id);
    expect((await workspace.api.delete(`/tickets/${id}/comments/${reply.id}`)).expect(200).data).toEqual(reply);
    expect(await ticketOf(id)).toMatchObject({
      comment_count: 0,
      reply_count: 0,
      first_response_at: before.first_response_at,
    });
    const [entry] = (await workspace.api.get(`/tickets/${id}/history?type=ticket.comment_deleted`)).rows;
    expect(entry).toMatchObject({ related: { comment: { id: reply.id } } });
    expect(JSON.stringify(entry?.related)).not.toContain('"body"');
  });

  it.each([
    ['agent', 'last_agent_comment_at'],
    ['requester', 'last_requester_comment_at'],
  ])('of the last comment of an %s leads back to the one before', async (author_type, name) => {
    const { id } = await makeTicket(workspace.api);
    const said: Fields[] = [];
    for (let n = 0; n < 3; n++) said.push((await comment(id, { author_type })).expect(201).data);
    await comment(id, { is_internal: true });
    const lastAfter = async (deleted: Fields | undefined): Promise<unknown> => {
      (await workspace.api.delete(`/tickets/${id}/comments/${deleted?.id}`)).expect(200);
      return (await ticketOf(id))[name];
    };
    const [first, second, third] = said;
    expect((await ticketOf(id))[name]).toBe(third?.created_at);
    expect(await lastAfter(first)).toBe(third?.created_at);
    expect(await lastAfter(third)).toBe(second?.created_at);
    expect(await lastAfter(second)).toBeNull();
    const other = name === 'last_agent_comment_at' ? 'last_requester_comment_at' : 'last_agent_comment_at';
    expect((await ticketOf(id))[other]).toBeNull();
    const [entry] = (await workspace.api.get(`/tickets/${id}/history?type=ticket.comment_deleted`)).rows;
    expect(entry?.changes).toMatchObject({ [name]: { from: second?.created_at, to: null } });
  });

  it('counts right when many comment and delete at once', async () => {
    const { id } = await makeTicket(workspace.api);
    const made = await Promise.all(Array.from({ length: 20 }, () => insist(() => comment(id))));
    expect(made.filter(({ data }) => data.is_first_response).length).toBe(1);
    await Promise.all([
      ...made.slice(0, 10).map(({ data }) => insist(() => workspace.api.delete(`/tickets/${id}/comments/${data.id}`))),
      ...Array.from({ length: 5 }, () => insist(() => comment(id, { is_internal: true }))),
    ]);
    expect(await ticketOf(id)).toMatchObject({ comment_count: 15, reply_count: 10 });
    expect((await workspace.api.get(`/tickets/${id}/comments`)).meta.total).toBe(15);
  });
});

describe('the comments of an expanded ticket', () => {
  it('are the newest hundred, oldest first', async () => {
    const { id } = await makeTicket(workspace.api);
    await sql.rows(
      `INSERT INTO ticket_comments (workspace_id, ticket_id, body, channel, created_at)
       SELECT $1, $2, 'c' || n, 'portal', now() - (200 - n) * interval '1 minute' FROM generate_series(1, 101) n`,
      [workspace.id, id],
    );
    await sql.rows('UPDATE tickets SET comment_count = 101 WHERE id = $1', [id]);
    const { data } = await workspace.api.get(`/tickets/${id}?expand=comments`);
    expect((data.comments as Fields[]).map((entry) => entry.body)).toEqual(
      Array.from({ length: 100 }, (_, index) => `c${index + 2}`),
    );
    expect(data.comments_truncated).toBe(true);
  });
});

describe('the history', () => {
  it('tells every change once, newest first, and outlives the ticket', async () => {
    const { id } = await makeTicket(workspace.api, { subject: 'One' });
    (await workspace.api.patch(`/tickets/${id}`, { subject: 'Two', status: 'resolved' })).expect(200);
    (await comment(id)).expect(201);
    (await workspace.api.delete(`/tickets/${id}`)).expect(200);
    const { rows, meta } = (await workspace.api.get(`/tickets/${id}/history`)).expect(200);
    expect(rows.map(({ type }) => type)).toEqual([
      'ticket.deleted',
      'ticket.comment_added',
      'ticket.updated',
      'ticket.created',
    ]);
    expect(rows[2]).toMatchObject({
      events: ['ticket.updated', 'ticket.status_changed', 'ticket.resolved', 'ticket.sla_met'],
      actor: { type: 'token' },
      changes: { subject: { from: 'One', to: 'Two' }, status: { from: 'open', to: 'resolved' } },
    });
    expect(meta.total).toBe(4);
    expect((await workspace.api.get(`/tickets/${id}/history?sort=id&per_page=1`)).rows[0]?.type).toBe('ticket.created');
  });

  it.each(['', '?per_page=5', '?type=ticket.created'])('is 404 for a ticket that never was: %s', async (query) => {
    expect((await workspace.api.get(`/tickets/8999999999999/history${query}`)).status).toBe(404);
  });

  it('says which request did it', async () => {
    const { id } = await makeTicket(workspace.api);
    const answer = await workspace.api.patch(`/tickets/${id}`, { subject: 'x' }, { 'x-request-id': 'my-request-1' });
    expect(answer.header('x-request-id')).toBe('my-request-1');
    const [entry] = (await workspace.api.get(`/tickets/${id}/history`)).rows;
    expect(entry).toMatchObject({ causation: { request_id: 'my-request-1', depth: 0 }, actor: { type: 'token' } });
  });

  it('may be empty under a filter', async () => {
    const { id } = await makeTicket(workspace.api);
    const answer = (await workspace.api.get(`/tickets/${id}/history?type=ticket.deleted`)).expect(200);
    expect([answer.rows, answer.meta.total]).toEqual([[], 0]);
  });
});
