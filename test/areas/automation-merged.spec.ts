import { useApp } from '../support/app';
import { commentsOf, makeRule, runsOf, settledTicket } from '../support/automations';
import { makeTicket } from '../support/cast';
import { makeWorkspace } from '../support/workspace';

const server = useApp();

const comment = (body: string): Record<string, unknown> => ({ type: 'add_comment', body, is_internal: true });

describe('a rule for merged tickets', () => {
  it('is about the ticket that goes on, however often that was merged since', async () => {
    const workspace = await makeWorkspace(server);
    const { id } = await makeRule(workspace, {
      trigger: { event: 'ticket.merged', filters: { priority: 'high' } },
      actions: [{ type: 'add_tags', tags: ['merged'] }, comment('{{ticket.subject}}')],
    });
    const make = async (subject: string, priority: string): Promise<number> =>
      (await makeTicket(workspace.api, { subject, priority })).id;
    const [source, target] = [await make('merged', 'low'), await make('goes on', 'high')];
    (await workspace.api.post(`/tickets/${source}/merge`, { into_id: target })).expect(200);
    expect(await settledTicket(server, workspace, target)).toMatchObject({ tags: 'merged' });
    expect((await commentsOf(workspace, target)).map(({ body }) => body)).toContain('goes on');
    const runs = await runsOf(workspace, 'automations', id);
    expect(runs.map(({ status, ticket_id }) => [status, ticket_id])).toEqual([['executed', target]]);
    expect(await runsOf(workspace, 'tickets', target)).toHaveLength(1);

    const last = await make('last', 'high');
    const first = await make('first', 'low');
    (await workspace.api.post(`/tickets/${first}/merge`, { into_id: target })).expect(200);
    (await workspace.api.post(`/tickets/${target}/merge`, { into_id: last })).expect(200);
    expect(await settledTicket(server, workspace, last)).toMatchObject({ tags: 'merged' });
  });
});

describe('a rule for closed or changed tickets', () => {
  it('leaves a merged one as it is, and fails at nothing; what it does elsewhere is done', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    const actions = [{ type: 'add_tags', tags: ['done'] }, comment('closed')];
    const rules = [
      await makeRule(workspace, { trigger: 'ticket.closed', actions }),
      await makeRule(workspace, { trigger: { event: 'ticket.updated', filters: { status: 'closed' } }, actions }),
      await makeRule(workspace, {
        trigger: 'ticket.closed',
        actions: [...actions, { type: 'create_ticket', subject: 'After {{ticket.subject}}' }],
      }),
    ];
    const source = await makeTicket(api, { subject: 'one' });
    const target = await makeTicket(api, { subject: 'other' });
    (await api.post(`/tickets/${source.id}/merge`, { into_id: target.id })).expect(200);
    expect(await settledTicket(server, workspace, source.id)).toMatchObject({ status: 'closed', tags: '' });
    const skipped = { status: 'skipped', error: 'The ticket was merged into another.' };
    const runs = await Promise.all(rules.map(({ id }) => runsOf(workspace, 'automations', id)));
    const ofSource = runs.map((each) => each.filter((run) => run.ticket_id === source.id));
    expect(ofSource).toMatchObject([
      [{ status: 'skipped', reason: 'merged', actions: [skipped, skipped] }],
      [{ status: 'skipped', reason: 'merged', actions: [skipped, skipped] }],
      [{ status: 'executed', reason: null, actions: [skipped, skipped, { type: 'create_ticket', status: 'done' }] }],
    ]);
    for (const { id } of rules) expect((await api.get(`/automations/${id}`)).data.last_error).toBeNull();
    expect((await commentsOf(workspace, target.id)).map(({ body }) => body)).not.toContain('closed');
    expect((await api.get('/tickets?q=After')).rows).toMatchObject([{ subject: 'After one' }]);
  });
});
