import type { Answer } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { drained } from '../support/jobs';
import { makePerson } from '../support/people';
import { useSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

const resolve = (id: number, body?: object, headers?: Record<string, string>): Promise<Answer> =>
  workspace.api.post(`/tickets/${id}/resolve`, body, headers);
const problem = async (): Promise<number> => (await makeTicket(workspace.api, { type: 'problem' })).id;
const statuses = async (parent: number): Promise<unknown[]> =>
  (await workspace.api.get(`/tickets?parent_id=${parent}&sort=id&fields=status&per_page=100`)).rows.map(
    ({ status }) => status,
  );
const typesSince = async (id: number): Promise<string[]> =>
  (await eventsOf(server, workspace, 'ticket', id)).slice(1).map(({ type }) => type);

describe('resolving', () => {
  it('leaves a last word, and what is done already as it is', async () => {
    const { id } = await makeTicket(workspace.api);
    const answer = (await resolve(id, { comment: 'Mended' })).expect(200);
    expect(answer.data).toMatchObject({ status: 'resolved', comment_count: 1, reply_count: 1 });
    expect(answer.meta).not.toHaveProperty('incidents');
    (await workspace.api.patch(`/tickets/${id}`, { status: 'closed' })).expect(200);
    expect((await resolve(id)).expect(200).data).toMatchObject({ status: 'closed', comment_count: 1 });
    expect((await resolve(id, {}, { 'if-match': '"1"' })).status).toBe(412);
    expect((await resolve(id, { incidents: true })).expect(422).codes).toEqual({ incidents: 'invalid' });
    expect((await resolve(id, { comment: ' ' })).expect(422).codes).toEqual({ comment: 'min' });
    expect((await resolve(8_999_999_999_999)).status).toBe(404);
  });

  it('of a problem resolves its open incidents, and nothing else below it, unless it is not asked to', async () => {
    const id = await problem();
    const under = { parent_id: id, type: 'incident' };
    const [incident, held, task] = [
      await makeTicket(workspace.api, under),
      await makeTicket(workspace.api, { ...under, status: 'on_hold' }),
      await makeTicket(workspace.api, { ...under, type: 'task' }),
    ];
    await makeTicket(workspace.api, { ...under, status: 'closed' });
    (await resolve(id)).expect(200);
    await drained(server, workspace);
    expect(await statuses(id)).toEqual(['open', 'on_hold', 'open', 'closed']);
    const answer = (await resolve(id, { incidents: true, comment: 'The switch was replaced' })).expect(200);
    expect(answer.meta).toMatchObject({ incidents: 2 });
    await drained(server, workspace);
    expect(await statuses(id)).toEqual(['resolved', 'resolved', 'open', 'closed']);
    expect((await typesSince(held.id)).filter((type) => type !== 'ticket.sla_met')).toEqual([
      'ticket.comment_added',
      'ticket.updated',
      'ticket.status_changed',
      'ticket.resolved',
    ]);
    const [entry] = (await workspace.api.get(`/tickets/${incident.id}/history`)).rows;
    expect(entry).toMatchObject({ changes: { status: { from: 'open', to: 'resolved' } }, actor: { type: 'token' } });
    expect((await workspace.api.get(`/tickets/${incident.id}?expand=sla`)).data).toMatchObject({ sla_status: 'met' });
    const end = (await eventsOf(server, workspace, 'ticket', id)).at(-1);
    expect(end).toMatchObject({ type: 'ticket.incidents_resolved', related: { incidents: { resolved: 2, kept: 0 } } });
    expect((await workspace.api.get(`/tickets/${task.id}/comments`)).rows).toEqual([]);
    expect(await sql.rows('SELECT FROM ticket_incident_runs WHERE workspace_id = $1', [workspace.id])).toEqual([]);
  });

  it('goes through many in pieces', async () => {
    const id = await problem();
    await sql.rows(
      `INSERT INTO tickets (workspace_id, number, code, subject, type, parent_id)
       SELECT $1, 900000 + n, 'TCK-' || 900000 + n, 'x', 'incident', $2 FROM generate_series(1, 60) n`,
      [workspace.id, id],
    );
    expect((await resolve(id, { incidents: true })).expect(200).meta).toMatchObject({ incidents: 60 });
    await drained(server, workspace);
    expect(new Set(await statuses(id))).toEqual(new Set(['resolved']));
    const end = (await eventsOf(server, workspace, 'ticket', id)).at(-1);
    expect(end?.related).toEqual({ incidents: { resolved: 60, kept: 0 } });
  });

  it('leaves incidents that the caller does not see as they are', async () => {
    const solo = await makePerson(server, workspace, { ticket_scope: 'assigned' });
    const { id } = await makeTicket(workspace.api, { type: 'problem', assigned_to: solo.id });
    const under = { parent_id: id, type: 'incident' };
    await makeTicket(workspace.api, { ...under, assigned_to: solo.id });
    await makeTicket(workspace.api, under);
    const answer = (await solo.api.post(`/tickets/${id}/resolve`, { incidents: true, comment: 'Done' })).expect(200);
    expect(answer.meta).toMatchObject({ incidents: 1 });
    await drained(server, workspace);
    expect(await statuses(id)).toEqual(['resolved', 'open']);
  });
});
