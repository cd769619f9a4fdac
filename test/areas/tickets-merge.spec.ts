import type { Answer, Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket, makeUser } from '../support/cast';
import { eventsOf } from '../support/event-log';
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
    expect(entry?.related).toMatchObject({ merged_into: { id: target.id, subject: 'Goes on' } });
  });

  it('tells the whole other ticket in its event, whatever the request wants to see', async () => {
    const [source, target] = [await makeTicket(workspace.api), await makeTicket(workspace.api, { subject: 'Goes on' })];
    const { data } = (await workspace.api.post(`/tickets/${source.id}/merge?fields=id`, { into_id: target.id })).expect(
      200,
    );
    expect(data).toEqual({ id: source.id });
    const [entry] = (await workspace.api.get(`/tickets/${source.id}/history`)).rows;
    expect(entry?.related).toMatchObject({ merged_into: { subject: 'Goes on' } });
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
      await workspace.api.post(`${path}/reopen`),
    ];
    for (const answer of answers) expect(answer.status).toBe(422);
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
