import { Client } from 'pg';
import { SlaSweep } from '../../src/areas/sla/sla-sweep';
import { Database } from '../../src/platform/database/database';
import { RUN_AGAIN } from '../../src/platform/schedule/periodic-jobs';
import type { Api, Fields } from '../support/api';
import { startApp, type TestApp, useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { testServices } from '../support/services';
import { useSql } from '../support/sql';
import { until } from '../support/until';
import { runJob } from '../support/jobs';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
let workspace: TestWorkspace;
let api: Api;
beforeEach(async () => {
  workspace = await makeWorkspace(server);
  ({ api } = workspace);
});

/** Moves every clock of the workspace (or of one metric) so that it was due, or at risk, so many seconds ago. */
const makeLate = (seconds: number, metric = '%'): Promise<unknown> =>
  sql.rows(
    `UPDATE sla_clocks SET due_at = date_trunc('milliseconds', now()) - make_interval(secs => $2), at_risk_at = now() - make_interval(secs => $2 + 60),
       at_risk_notified = true, next_check_at = date_trunc('milliseconds', now()) - make_interval(secs => $2)
     WHERE workspace_id = $1 AND metric LIKE $3 AND outcome = 'active'`,
    [workspace.id, seconds, metric],
  );

/** A sweep that begins after those of the other applications of this run, which leave out what others just hold. */
const sweep = (): Promise<void> => runJob(server, 'sla-sweep');

/** A sweep beside any others. */
async function sweepBeside({ app: nest }: TestApp): Promise<void> {
  while ((await nest.get(Database).system(() => nest.get(SlaSweep).run())) === RUN_AGAIN);
}

const breaches = (): Promise<{ object_id: number; sla: Fields; data: Fields }[]> =>
  sql.rows(
    `SELECT object_id, related -> 'sla' AS sla, data FROM events WHERE workspace_id = $1 AND type = 'ticket.sla_breach' ORDER BY id`,
    [workspace.id],
  );

describe('the sweep', () => {
  it('breaches a clock once, at its due moment however late it comes, and tells the whole ticket', async () => {
    const { id } = await makeTicket(api, { priority: 'urgent' });
    await makeLate(7_200, 'first_response');
    const [due] = await sql.rows<{ due_at: Date }>(
      `SELECT due_at FROM sla_clocks WHERE ticket_id = $1 AND metric = 'first_response'`,
      [id],
    );
    const dueAt = due?.due_at.toISOString();
    await until('the breach is told', async () => (await breaches()).length > 0);
    await sweep();
    await sweep();
    const told = await breaches();
    expect(told).toHaveLength(1);
    expect(told[0]?.sla).toMatchObject({
      metric: 'first_response',
      target_minutes: 60,
      due_at: dueAt,
      breached_at: dueAt,
    });
    expect(told[0]?.sla.overdue_seconds).toBeGreaterThanOrEqual(7_200);
    expect(told[0]?.data).toMatchObject({ id, sla_status: 'breached' });
    const ticket = (await api.get(`/tickets/${id}`)).data;
    expect(ticket).toMatchObject({ sla_status: 'breached', next_sla_due_at: ticket.sla_due_at });
    const events = (await eventsOf(server, workspace, 'ticket', id)).slice(1);
    expect(events.map(({ type, position }) => [type, position])).toEqual([
      ['ticket.updated', 1],
      ['ticket.sla_breach', 2],
    ]);
    expect(events[0]?.changes?.sla_status).toEqual({ from: 'on_track', to: 'breached' });
    expect(events[1]?.sequence_id).toBe(events[0]?.sequence_id);
  });

  it('warns before, once, and tells both when it comes late for both', async () => {
    const { id } = await makeTicket(api);
    await sql.rows(
      `UPDATE sla_clocks SET at_risk_at = now() - interval '2 minutes', due_at = now() - interval '1 minute', next_check_at = now() - interval '2 minutes'
       WHERE ticket_id = $1 AND metric = 'resolution'`,
      [id],
    );
    await sweep();
    await sweep();
    const types = (await eventsOf(server, workspace, 'ticket', id))
      .map(({ type }) => type)
      .filter((type) => type.includes('sla'));
    expect(types).toEqual(['ticket.sla_at_risk', 'ticket.sla_breach']);
  });

  it('tells an early warning, and then nothing until the breach', async () => {
    const { id } = await makeTicket(api);
    await sql.rows(
      `UPDATE sla_clocks SET at_risk_at = now() - interval '1 minute', next_check_at = now() - interval '1 minute' WHERE ticket_id = $1 AND metric = 'first_response'`,
      [id],
    );
    await sweep();
    await sweep();
    expect((await api.get(`/tickets/${id}`)).data.sla_status).toBe('at_risk');
    const [row] = await sql.rows<{ same: boolean }>(
      `SELECT next_check_at = due_at AS same FROM sla_clocks WHERE ticket_id = $1 AND metric = 'first_response'`,
      [id],
    );
    expect(row?.same).toBe(true);
    const types = (await eventsOf(server, workspace, 'ticket', id)).map(({ type }) => type);
    expect(types).toEqual(['ticket.created', 'ticket.updated', 'ticket.sla_at_risk']);
  });

  it('leaves alone what stands still or is decided', async () => {
    await makeTicket(api, { status: 'on_hold', channel: 'internal' });
    await makeTicket(api, { status: 'closed' });
    const rows = await sql.rows(`SELECT 1 FROM sla_clocks WHERE workspace_id = $1 AND next_check_at IS NOT NULL`, [
      workspace.id,
    ]);
    expect(rows).toEqual([]);
  });

  it('does not wait for a ticket that someone is changing, nor skip it for good', async () => {
    const [held, free] = [await makeTicket(api), await makeTicket(api)];
    // Not a connection of the service: its transactions may not be idle for long, and a sweep may have to wait for others.
    const change = new Client({ connectionString: testServices().adminUrl });
    await change.connect();
    try {
      await change.query('BEGIN');
      await change.query(`SELECT 1 FROM tickets WHERE id = $1 FOR UPDATE`, [held.id]);
      await makeLate(60, 'resolution');
      await sweep();
      expect((await breaches()).map(({ object_id }) => object_id)).toEqual([free.id]);
    } finally {
      await change.end();
    }
    await sweep();
    expect((await breaches()).map(({ object_id }) => object_id)).toEqual([free.id, held.id]);
  });

  it('passes over a ticket whose clocks make no sense, and tells the others', async () => {
    const [broken, sound] = [await makeTicket(api), await makeTicket(api)];
    // All at once: a sweep of another application finds them as they are to be found.
    await sql.rows(
      `UPDATE sla_clocks SET due_at = CASE WHEN ticket_id <> $2 THEN now() - interval '1 minute' END,
         at_risk_at = CASE WHEN ticket_id <> $2 THEN now() - interval '2 minutes' END, at_risk_notified = true,
         next_check_at = CASE WHEN metric = 'resolution' THEN now() - interval '1 minute' ELSE next_check_at END
       WHERE workspace_id = $1 AND (metric = 'resolution' OR ticket_id = $2)`,
      [workspace.id, broken.id],
    );
    await sweep();
    expect((await breaches()).map(({ object_id }) => object_id)).toEqual([sound.id]);
    const due = await sql.rows(`SELECT 1 FROM sla_clocks WHERE ticket_id = $1 AND next_check_at <= now()`, [broken.id]);
    expect(due).toEqual([]);
  });
});

it('a thousand breaches at once are told once each, by two workers, beside the requests that change the same tickets', async () => {
  const COUNT = 1_000;
  const second = await startApp();
  try {
    const [policy] = await sql.rows<{ id: number; version: number }>(
      `SELECT id, version FROM sla_policies WHERE workspace_id = $1`,
      [workspace.id],
    );
    const first = await makeTicket(api);
    await sql.rows(
      `WITH made AS (
         INSERT INTO tickets (workspace_id, number, code, subject, priority, sla_policy_id, sla_status)
         SELECT $1, 1000 + n, 'TCK-' || 1000 + n, 'Bulk ' || n, 'medium', $2, 'on_track' FROM generate_series(1, ${COUNT - 1}) n RETURNING id
       )
       INSERT INTO sla_clocks (workspace_id, ticket_id, policy_id, policy_version, metric, priority_applied, target_seconds, started_at, due_at, at_risk_at, at_risk_notified, next_check_at)
       SELECT $1, id, $2, $3, 'resolution', 'medium', 86400, now() - interval '24 hours', now() + interval '1 second', now() - interval '1 hour', true, now() + interval '1 second' FROM made`,
      [workspace.id, policy?.id, policy?.version],
    );
    await makeLate(-1, 'resolution');
    const priorities = ['low', 'high', 'urgent'];
    const changes = Array.from({ length: 60 }, (_, index) =>
      api.patch(`/tickets/${first.id + 1 + (index % 30)}`, {
        tags: `t${index}`,
        subject: `Changed ${priorities[index % 3]}`,
      }),
    );
    await Promise.all([...[server, second, server, second].map(sweepBeside), ...changes]);
    await until('every breach is told', async () => (await breaches()).length >= COUNT);
    await Promise.all([server, second].map(sweepBeside));
    const told = await breaches();
    expect(told).toHaveLength(COUNT);
    expect(new Set(told.map(({ object_id }) => object_id)).size).toBe(COUNT);
    expect(told.every(({ sla }) => sla.breached_at === sla.due_at && sla.metric === 'resolution')).toBe(true);
  } finally {
    await second.close();
  }
});
