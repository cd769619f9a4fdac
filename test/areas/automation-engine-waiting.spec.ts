import { Client } from 'pg';
import { useApp } from '../support/app';
import { commentsOf, makeRule, runsOf } from '../support/automations';
import { makeTicket } from '../support/cast';
import { middayDate, middayZone } from '../support/midday';
import { useSql } from '../support/sql';
import { drained, timePasses as becomeDue } from '../support/jobs';
import { testServices } from '../support/services';
import { until } from '../support/until';
import { letPass } from '../support/sandbox';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

const comment = (body: string): Record<string, unknown> => ({ type: 'add_comment', body, is_internal: true });

/** Lets the runs that wait be due, and waits until all is done. */
async function timePasses(workspace: TestWorkspace): Promise<void> {
  await becomeDue(server, workspace, 'automation_pass');
  await drained(server, workspace);
}

const dueIn = async (workspace: TestWorkspace): Promise<number[]> =>
  (
    await sql.rows<{ minutes: number }>(
      `SELECT extract(epoch FROM due_at - created_at)::float8 / 60 AS minutes FROM work WHERE workspace_id = $1 AND kind = 'automation_pass' ORDER BY id`,
      [workspace.id],
    )
  ).map(({ minutes }) => Math.round(minutes));

/** Business hours of the workspace: only on one day a week, which is not today, nor will be while the test runs. */
async function openOnlyIn(workspace: TestWorkspace, days: number): Promise<void> {
  const day = new Date(middayDate(days)).getUTCDay();
  const name = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][day] ?? '';
  await setHours(workspace, { [name]: [['00:00', '24:00']] });
}

async function setHours(workspace: TestWorkspace, weekly: Record<string, unknown>): Promise<void> {
  const { rows } = (await workspace.api.get('/sla')).expect(200);
  const schedule = { mode: 'business_hours', timezone: middayZone(), weekly, holidays: [] };
  const id = rows.find((policy) => policy.is_default === true)?.id ?? 0;
  (await workspace.api.patch(`/sla/${id}`, { schedule })).expect(200);
}

describe('delay_minutes', () => {
  it('lets the rule look at the ticket when the time is over, with the event as it was', async () => {
    const workspace = await makeWorkspace(server);
    const { id } = await makeRule(workspace, {
      trigger: 'ticket.priority_changed',
      delay_minutes: 90,
      conditions: {
        all: [
          { field: 'status', operator: 'eq', value: 'on_hold' },
          { field: 'priority', operator: 'changed_to', value: 'high' },
        ],
      },
      actions: [comment('waited')],
    });
    const [still, gone] = [await makeTicket(workspace.api, { priority: 'low' }), await makeTicket(workspace.api)];
    (await workspace.api.patch(`/tickets/${still.id}`, { priority: 'high' })).expect(200);
    (await workspace.api.patch(`/tickets/${gone.id}`, { priority: 'high' })).expect(200);
    await drained(server, workspace);
    expect(await dueIn(workspace)).toEqual([90, 90]);
    expect((await runsOf(workspace, 'automations', id)).map(({ status, reason }) => [status, reason])).toEqual([
      ['skipped', 'delayed'],
      ['skipped', 'delayed'],
    ]);
    (await workspace.api.patch(`/tickets/${still.id}`, { status: 'on_hold' })).expect(200);
    (await workspace.api.delete(`/tickets/${gone.id}`)).expect(200);
    await timePasses(workspace);
    expect((await commentsOf(workspace, still.id)).map(({ body }) => body)).toEqual(['waited']);
    expect((await runsOf(workspace, 'automations', id)).map(({ status }) => status)).toEqual([
      'skipped',
      'skipped',
      'executed',
    ]);
  });

  it('comes again when the ticket was held for too long, and says why it was put off', async () => {
    const workspace = await makeWorkspace(server);
    const { id } = await makeRule(workspace, { delay_minutes: 5, actions: [comment('waited')] });
    const ticket = await makeTicket(workspace.api);
    await drained(server, workspace);
    const statuses = async (): Promise<unknown[]> =>
      (await runsOf(workspace, 'automations', id)).map(({ status, reason }) => [status, reason]);
    const put = [
      ['skipped', 'delayed'],
      ['skipped', 'retry'],
    ];
    const change = new Client({ connectionString: testServices().adminUrl });
    await change.connect();
    try {
      await change.query('BEGIN');
      await change.query('SELECT FROM tickets WHERE id = $1 FOR UPDATE', [ticket.id]);
      await becomeDue(server, workspace, 'automation_pass');
      // As when the time of a statement is over: nobody waits for that here.
      const cancel =
        'SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))';
      await until('the run waited', async () => (await change.query(cancel)).rowCount === 1);
      await until('the run was put off', async () => (await statuses()).length === put.length);
      const [job] = await sql.rows('SELECT error FROM work WHERE workspace_id = $1', [workspace.id]);
      expect(job).toEqual({ error: 'The request took too long; narrow it down or try again.' });
    } finally {
      await change.end();
    }
    await drained(server, workspace);
    expect((await commentsOf(workspace, ticket.id)).map(({ body }) => body)).toEqual(['waited']);
    expect(await statuses()).toEqual([...put, ['executed', null]]);
  });

  it('forgets what waits when the rule is deleted, and leaves it when it is switched off', async () => {
    const workspace = await makeWorkspace(server);
    const deleted = await makeRule(workspace, { delay_minutes: 5, actions: [comment('deleted')] });
    const off = await makeRule(workspace, { delay_minutes: 5, actions: [comment('off')] });
    const ticket = await makeTicket(workspace.api);
    await drained(server, workspace);
    (await workspace.api.delete(`/automations/${deleted.id}`)).expect(200);
    (await workspace.api.patch(`/automations/${off.id}`, { is_active: false })).expect(200);
    await timePasses(workspace);
    expect(await commentsOf(workspace, ticket.id)).toEqual([]);
    expect(await sql.rows(`SELECT FROM automation_passes WHERE workspace_id = $1`, [workspace.id])).toEqual([]);
  });
});

describe('a rule that got another trigger while it waited', () => {
  it('leaves the record of the former one alone, and the log says so', async () => {
    const workspace = await makeWorkspace(server);
    const waits = { delay_minutes: 60, actions: [comment('waited')] };
    const other = await makeRule(workspace, waits);
    const narrowed = await makeRule(workspace, waits);
    const ticket = await makeTicket(workspace.api, { priority: 'low' });
    await drained(server, workspace);
    (await workspace.api.patch(`/automations/${other.id}`, { trigger: 'ticket.closed' })).expect(200);
    const trigger = { event: 'ticket.created', filters: { priority: 'low' } };
    (await workspace.api.patch(`/automations/${narrowed.id}`, { trigger })).expect(200);
    await timePasses(workspace);
    const logged = async (id: number): Promise<unknown> =>
      (await runsOf(workspace, 'automations', id)).map(({ status, reason, event }) => [status, reason, event]);
    expect(await logged(other.id)).toEqual([
      ['skipped', 'delayed', 'ticket.created'],
      ['skipped', 'trigger_changed', 'ticket.created'],
    ]);
    expect(await logged(narrowed.id)).toEqual([
      ['skipped', 'delayed', 'ticket.created'],
      ['executed', null, 'ticket.created'],
    ]);
    expect(await commentsOf(workspace, ticket.id)).toHaveLength(1);
  });

  it('that was a schedule does not act on what the last tick found', async () => {
    const workspace = await makeWorkspace(server, { sandbox: true });
    const rule = await makeRule(workspace, {
      trigger: { event: 'schedule', cron: '0 * * * *', timezone: 'UTC' },
      delay_minutes: 90,
      actions: [comment('tick')],
    });
    const ticket = await makeTicket(workspace.api);
    await letPass(workspace, 'PT1H');
    (await workspace.api.patch(`/automations/${rule.id}`, { trigger: 'ticket.closed' })).expect(200);
    await letPass(workspace, 'PT4H');
    expect(await commentsOf(workspace, ticket.id)).toEqual([]);
    const reasons = (await runsOf(workspace, 'automations', rule.id)).map(({ reason }) => reason);
    expect(reasons).toContain('trigger_changed');
    expect(new Set(reasons)).toEqual(new Set(['delayed', 'trigger_changed']));
  });
});

describe('only_in_business_hours', () => {
  it('waits for the next opening, and runs at once while it is open', async () => {
    const workspace = await makeWorkspace(server);
    const { id } = await makeRule(workspace, { only_in_business_hours: true, actions: [comment('open')] });
    const first = await makeTicket(workspace.api);
    await drained(server, workspace);
    expect((await commentsOf(workspace, first.id)).map(({ body }) => body)).toEqual(['open']);
    await openOnlyIn(workspace, 2);
    const second = await makeTicket(workspace.api);
    await drained(server, workspace);
    const [minutes] = await dueIn(workspace);
    expect(minutes).toBeGreaterThan(24 * 60);
    expect(minutes).toBeLessThanOrEqual(48 * 60);
    expect((await runsOf(workspace, 'automations', id)).map(({ status, reason }) => [status, reason])).toEqual([
      ['executed', null],
      ['skipped', 'outside_business_hours'],
    ]);
    await setHours(
      workspace,
      Object.fromEntries(['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'].map((day) => [day, [['00:00', '24:00']]])),
    );
    await timePasses(workspace);
    expect((await commentsOf(workspace, second.id)).map(({ body }) => body)).toEqual(['open']);
  });
});

describe('run_once_per_ticket', () => {
  it('acts once on each ticket, also after the log has forgotten', async () => {
    const workspace = await makeWorkspace(server);
    const { id } = await makeRule(workspace, {
      trigger: 'ticket.priority_changed',
      run_once_per_ticket: true,
      actions: [comment('once')],
    });
    const tickets = [
      await makeTicket(workspace.api, { priority: 'low' }),
      await makeTicket(workspace.api, { priority: 'low' }),
    ];
    for (const ticket of tickets)
      (await workspace.api.patch(`/tickets/${ticket.id}`, { priority: 'high' })).expect(200);
    await drained(server, workspace);
    await sql.rows(`DELETE FROM automation_runs WHERE workspace_id = $1`, [workspace.id]);
    for (const ticket of tickets) (await workspace.api.patch(`/tickets/${ticket.id}`, { priority: 'low' })).expect(200);
    await drained(server, workspace);
    for (const ticket of tickets) expect(await commentsOf(workspace, ticket.id)).toHaveLength(1);
    expect((await runsOf(workspace, 'automations', id)).map(({ reason }) => reason)).toEqual([
      'once_per_ticket',
      'once_per_ticket',
    ]);
  });
});
