import { useApp } from '../support/app';
import { commentsOf, makeRule, runsOf, settledTicket } from '../support/automations';
import { makeTicket } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { useReceiver } from '../support/receiver';
import { useSql } from '../support/sql';
import { drained } from '../support/jobs';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
const receiver = useReceiver();

const set = (field: string, value: unknown): Record<string, unknown> => ({ type: 'set_field', field, value });

/** Makes it look as if a rule had run that often, a minute ago. */
async function hasRun(
  workspace: TestWorkspace,
  ruleId: number,
  ticketId: number,
  times: number,
  event = 'ticket.updated',
): Promise<void> {
  await sql.rows(
    `INSERT INTO automation_runs (workspace_id, automation_id, automation_version, automation_name, object, object_id, event, root_event_id, depth, status, acted, started_at, created_at)
     SELECT $1, $2, 1, 'Rule', 'ticket', $3, $5, 'evt_' || gen_random_uuid(), 0, 'executed', true, now(), now() - interval '1 minute' FROM generate_series(1, $4::integer)`,
    [workspace.id, ruleId, ticketId, times, event],
  );
}

describe('loops', () => {
  it('of two rules that undo each other end: each runs once per root event', async () => {
    const workspace = await makeWorkspace(server);
    const trigger = 'ticket.priority_changed';
    const up = await makeRule(workspace, {
      trigger,
      conditions: { all: [{ field: 'priority', operator: 'neq', value: 'urgent' }] },
      actions: [set('priority', 'urgent')],
    });
    const down = await makeRule(workspace, {
      trigger,
      conditions: { all: [{ field: 'priority', operator: 'eq', value: 'urgent' }] },
      actions: [set('priority', 'low')],
    });
    const ticket = await makeTicket(workspace.api, { priority: 'low' });
    (await workspace.api.patch(`/tickets/${ticket.id}`, { priority: 'medium' })).expect(200);
    expect(await settledTicket(server, workspace, ticket.id)).toMatchObject({ priority: 'low' });
    const runs = await runsOf(workspace, 'tickets', ticket.id);
    for (const rule of [up, down]) {
      const own = runs.filter((run) => run.automation_id === rule.id);
      expect(own.filter(({ status }) => status === 'executed')).toHaveLength(1);
    }
    expect(runs.filter(({ reason }) => reason === 'already_ran').length).toBeGreaterThan(0);
    expect(new Set(runs.map((run) => run.root_event_id)).size).toBe(1);
    const changes = (await eventsOf(server, workspace, 'ticket', ticket.id)).filter(({ type }) => type === trigger);
    expect(changes).toHaveLength(3);
  });

  it('through rules that create tickets end at depth 5', async () => {
    const workspace = await makeWorkspace(server);
    const { id } = await makeRule(workspace, {
      actions: [{ type: 'create_ticket', subject: 'Again {{ticket.subject}}' }],
    });
    await makeTicket(workspace.api, { subject: 'x' });
    await drained(server, workspace);
    const runs = await runsOf(workspace, 'automations', id);
    expect(runs.map(({ depth, status, reason }) => [depth, status, reason])).toEqual([
      ...[0, 1, 2, 3, 4, 5].map((depth) => [depth, 'executed', null]),
      [6, 'skipped', 'depth'],
    ]);
    expect((await workspace.api.get('/tickets')).body.meta).toMatchObject({ total: 7 });
  });

  it("through the customer's own receiver end, whether or not it hands on the root", async () => {
    for (const handsOnRoot of [true, false]) {
      const workspace = await makeWorkspace(server);
      await makeRule(workspace, { trigger: 'ticket.updated', actions: [{ type: 'webhook', url: receiver.url }] });
      const ticket = await makeTicket(workspace.api);
      let calls = 0;
      receiver.answer(async ({ headers }) => {
        calls++;
        const chain: Record<string, string> = {
          'X-Service-Causation-Depth': String(headers['x-service-causation-depth']),
        };
        if (handsOnRoot) chain['X-Service-Causation-Root'] = String(headers['x-service-causation-root']);
        await workspace.api.patch(`/tickets/${ticket.id}`, { subject: `Call ${calls}` }, chain);
        return 204;
      });
      (await workspace.api.patch(`/tickets/${ticket.id}`, { subject: 'Begin' })).expect(200);
      await drained(server, workspace);
      expect(calls).toBe(handsOnRoot ? 1 : 6);
      const last = (await runsOf(workspace, 'tickets', ticket.id)).at(-1);
      expect(last).toMatchObject(handsOnRoot ? { reason: 'already_ran' } : { reason: 'depth', depth: 6 });
    }
  });

  it('cannot begin with the events of automations', async () => {
    const workspace = await makeWorkspace(server);
    await makeRule(workspace, { actions: [set('priority', 'urgent')] });
    await makeTicket(workspace.api, { priority: 'low' });
    await drained(server, workspace);
    const runs = await sql.rows(
      `SELECT r.event FROM automation_runs r WHERE r.workspace_id = $1 AND r.object = 'automation'`,
      [workspace.id],
    );
    expect(runs).toEqual([]);
    const refused = await workspace.api.post('/automations', {
      name: 'x',
      trigger: 'automation.executed',
      actions: [{ type: 'stop' }],
    });
    expect(refused.status).toBe(422);
  });
});

describe('the rate guard', () => {
  it('suspends a rule at its 31st run on one ticket in ten minutes, tells it once, and PATCH resumes it', async () => {
    const workspace = await makeWorkspace(server);
    const { id } = await makeRule(workspace, {
      trigger: 'ticket.updated',
      actions: [{ type: 'add_comment', body: 'x' }],
    });
    const [hot, cold] = [await makeTicket(workspace.api), await makeTicket(workspace.api)];
    await hasRun(workspace, id, hot.id, 29);
    (await workspace.api.patch(`/tickets/${hot.id}`, { subject: '30' })).expect(200);
    await drained(server, workspace);
    expect(await commentsOf(workspace, hot.id)).toHaveLength(1);
    (await workspace.api.patch(`/tickets/${cold.id}`, { subject: 'others do not count' })).expect(200);
    await drained(server, workspace);
    expect(await commentsOf(workspace, cold.id)).toHaveLength(1);
    (await workspace.api.patch(`/tickets/${hot.id}`, { subject: '31' })).expect(200);
    await drained(server, workspace);
    expect(await commentsOf(workspace, hot.id)).toHaveLength(1);
    const { data } = (await workspace.api.get(`/automations/${id}`)).expect(200);
    expect(data).toMatchObject({
      is_active: false,
      suspended_at: expect.stringMatching(/Z$/) as unknown,
      suspended_reason: expect.stringContaining(`ticket ${hot.id}`) as unknown,
    });
    const suspended = (await eventsOf(server, workspace, 'automation', id)).filter(
      ({ type }) => type === 'automation.suspended',
    );
    expect(suspended).toMatchObject([
      {
        changes: { is_active: { from: true, to: false } },
        data: { is_active: false },
        related: { record: { object: 'ticket', id: hot.id } },
      },
    ]);
    expect((await runsOf(workspace, 'automations', id)).at(-1)).toMatchObject({
      status: 'skipped',
      reason: 'suspended',
    });
    (await workspace.api.patch(`/tickets/${cold.id}`, { subject: 'not while suspended' })).expect(200);
    await drained(server, workspace);
    expect(await commentsOf(workspace, cold.id)).toHaveLength(1);
    (await workspace.api.patch(`/automations/${id}`, { is_active: true })).expect(200);
    expect((await workspace.api.get(`/automations/${id}`)).data).toMatchObject({ is_active: true, suspended_at: null });
    (await workspace.api.patch(`/tickets/${cold.id}`, { subject: 'again' })).expect(200);
    await drained(server, workspace);
    expect(await commentsOf(workspace, cold.id)).toHaveLength(2);
  });

  it('suspends a rule after 1000 runs in an hour, on whatever tickets; those of schedules do not count', async () => {
    const workspace = await makeWorkspace(server);
    const { id } = await makeRule(workspace, {
      trigger: 'ticket.updated',
      actions: [{ type: 'add_comment', body: 'x' }],
    });
    const ticket = await makeTicket(workspace.api);
    await hasRun(workspace, id, 1, 999);
    await hasRun(workspace, id, 1, 50, 'schedule');
    (await workspace.api.patch(`/tickets/${ticket.id}`, { subject: '1000' })).expect(200);
    await drained(server, workspace);
    expect((await workspace.api.get(`/automations/${id}`)).data).toMatchObject({ is_active: true });
    (await workspace.api.patch(`/tickets/${ticket.id}`, { subject: '1001' })).expect(200);
    await drained(server, workspace);
    expect(await commentsOf(workspace, ticket.id)).toHaveLength(1);
    expect((await workspace.api.get(`/automations/${id}`)).data).toMatchObject({
      is_active: false,
      suspended_reason: expect.stringContaining('1000 times in an hour') as unknown,
    });
  });
});
