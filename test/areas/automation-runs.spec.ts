import { TicketActions } from '../../src/areas/sla/ticket-actions';
import { Database } from '../../src/platform/database/database';
import { useApp } from '../support/app';
import { commentsOf, makeRule, runsOf } from '../support/automations';
import { makeTicket } from '../support/cast';
import { useSql } from '../support/sql';
import { drained, runJob } from '../support/jobs';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

const comment = { type: 'add_comment', body: 'x', is_internal: true };

/** A workspace with one rule that ran on one of two tickets. */
async function story(): Promise<{ workspace: TestWorkspace; rule: number; met: number; missed: number }> {
  const workspace = await makeWorkspace(server);
  const rule = await makeRule(workspace, {
    conditions: { all: [{ field: 'priority', operator: 'eq', value: 'high' }] },
    actions: [comment],
  });
  const met = await makeTicket(workspace.api, { priority: 'high' });
  await drained(server, workspace);
  const missed = await makeTicket(workspace.api, { priority: 'low' });
  await drained(server, workspace);
  return { workspace, rule: rule.id, met: met.id, missed: missed.id };
}

describe('the log', () => {
  it('is listed by automation and by ticket, newest first, with filters, fields and paging', async () => {
    const { workspace, rule, met, missed } = await story();
    const newest = (await workspace.api.get(`/automations/${rule}/runs`)).expect(200);
    expect(newest.rows.map((run) => run.ticket_id)).toEqual([missed, met]);
    expect(newest.body.meta).toMatchObject({ total: 2 });
    for (const [query, expected] of [
      ['&status=executed', [met]],
      ['&status=executed,conditions_not_met', [met, missed]],
      ['&event=ticket.updated', []],
      [`&created_after=${encodeURIComponent('2020-01-01T00:00:00Z')}`, [met, missed]],
      [`&created_before=${encodeURIComponent('2020-01-01T00:00:00Z')}`, []],
    ] as const) {
      expect((await runsOf(workspace, 'automations', rule, query)).map((run) => run.ticket_id)).toEqual(expected);
    }
    const page = (await workspace.api.get(`/automations/${rule}/runs?per_page=1&page=2&fields=id,status`)).expect(200);
    expect(page.rows).toEqual([{ id: expect.any(Number) as unknown, status: 'executed' }]);
    expect((await workspace.api.get(`/tickets/${met}/automation-runs?status=nonsense`)).status).toBe(422);
    expect((await workspace.api.get(`/tickets/${met}/automation-runs?ticket_id=1`)).status).toBe(422);
  });

  it('outlives the rule and the ticket; what never was is a 404', async () => {
    const { workspace, rule, met, missed } = await story();
    (await workspace.api.delete(`/automations/${rule}`)).expect(200);
    (await workspace.api.delete(`/tickets/${missed}`)).expect(200);
    expect(await runsOf(workspace, 'automations', rule)).toHaveLength(2);
    expect(await runsOf(workspace, 'tickets', met)).toMatchObject([{ automation_id: rule, automation_name: 'Rule' }]);
    expect(await runsOf(workspace, 'tickets', missed)).toHaveLength(1);
    (await workspace.api.get('/automations/987654321/runs')).expect(404);
    (await workspace.api.get('/tickets/987654321/automation-runs')).expect(404);
  });

  it("is nobody else's", async () => {
    const { rule, met } = await story();
    const stranger = await makeWorkspace(server);
    (await stranger.api.get(`/automations/${rule}/runs`)).expect(404);
    (await stranger.api.get(`/tickets/${met}/automation-runs`)).expect(404);
    await makeTicket(stranger.api, { priority: 'high' });
    await drained(server, stranger);
    const rows = await sql.rows(`SELECT FROM automation_runs WHERE workspace_id = $1`, [stranger.id]);
    expect(rows).toEqual([]);
  });

  it('keeps evaluations without a result for a day, all others for 30', async () => {
    const { workspace, rule } = await story();
    const age = (days: number): Promise<unknown> =>
      sql.rows(`UPDATE automation_runs SET created_at = now() - $2 * interval '1 day' WHERE workspace_id = $1`, [
        workspace.id,
        days,
      ]);
    const statuses = async (): Promise<string[]> =>
      (await runsOf(workspace, 'automations', rule)).map(({ status }) => status);
    const prune = (): Promise<void> => runJob(server, 'automation-run-pruning');
    await age(0.9);
    await prune();
    expect(await statuses()).toEqual(['executed', 'conditions_not_met']);
    await age(1.1);
    await prune();
    expect(await statuses()).toEqual(['executed']);
    await age(29);
    await prune();
    expect(await statuses()).toEqual(['executed']);
    await age(31);
    await prune();
    expect(await statuses()).toEqual([]);
  });
});

describe('actions for other areas', () => {
  it('are performed once per key, logged without an automation, and checked like those of rules', async () => {
    const { workspace, met } = await story();
    const port = server.app.get(TicketActions, { strict: false });
    const run = (key: string): Promise<void> =>
      server.app.get(Database).inWorkspace(workspace.id, { type: 'system', id: null, name: 'system' }, async () => {
        const actions = [
          { type: 'add_comment', body: 'Late: {{ticket.code}}', is_internal: true },
          { type: 'send_email', to: ['boss@example.com'], subject: 'Late', body: 'x' },
        ];
        const cause = { source: { type: 'sla_policy', id: 3, name: 'Gold' }, key };
        await port.run(met, await port.check('escalation[0].actions', actions), cause);
      });
    await Promise.all([run('step:1'), run('step:1')]);
    await run('step:1');
    await run('step:2');
    await drained(server, workspace);
    const late = (await commentsOf(workspace, met)).filter(({ body }) => String(body).startsWith('Late: TCK-'));
    expect(late.map(({ author_type, author_name }) => [author_type, author_name])).toEqual([
      ['automation', 'Gold'],
      ['automation', 'Gold'],
    ]);
    expect(await sql.rows(`SELECT FROM outgoing_mails WHERE workspace_id = $1`, [workspace.id])).toHaveLength(2);
    const runs = (await runsOf(workspace, 'tickets', met)).filter((each) => each.automation_id === null);
    expect(runs.map((each) => [each.automation_name, each.event, each.root_event_id, each.status])).toEqual([
      ['Gold', 'sla_policy.escalation', 'step:1', 'executed'],
      ['Gold', 'sla_policy.escalation', 'step:2', 'executed'],
    ]);
    await expect(
      server.app
        .get(Database)
        .inWorkspace(workspace.id, { type: 'system', id: null, name: 'system' }, () =>
          port.check('escalation[0].actions', [{ type: 'add_comment' }]),
        ),
    ).rejects.toMatchObject({ type: 'validation_error' });
  });
});
