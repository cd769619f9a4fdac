import { Pool } from 'pg';
import { nextTick } from '../../src/platform/calendar/next-tick';
import { PeriodicJobs } from '../../src/platform/schedule/periodic-jobs';
import { startApp, type TestApp } from '../support/app';
import { commentsOf, makeRule, runsOf } from '../support/automations';
import { makeTicket } from '../support/cast';
import { scratchDatabase, type ScratchDatabase } from '../support/scratch-database';
import { until } from '../support/until';
import { drained } from '../support/jobs';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const ticksAfter = (cron: string, zone: string, from: string, count: number): string[] => {
  const ticks: string[] = [];
  for (let moment = new Date(from); ticks.length < count;) {
    moment = nextTick(cron, zone, moment);
    ticks.push(moment.toISOString());
  }
  return ticks;
};

describe('ticks', () => {
  it('keep the local time across the changes of clocks', () => {
    expect(ticksAfter('0 9 * * *', 'Europe/Rome', '2026-03-27T12:00:00Z', 3)).toEqual([
      '2026-03-28T08:00:00.000Z',
      '2026-03-29T07:00:00.000Z',
      '2026-03-30T07:00:00.000Z',
    ]);
    expect(ticksAfter('0 9 * * 1-5', 'America/New_York', '2026-10-30T14:00:00Z', 2)).toEqual([
      '2026-11-02T14:00:00.000Z',
      '2026-11-03T14:00:00.000Z',
    ]);
  });

  it('come once a day also where the time is skipped or occurs twice', () => {
    const days = (ticks: string[]): number => new Set(ticks.map((tick) => tick.slice(0, 10))).size;
    const skipped = ticksAfter('30 2 * * *', 'Europe/Rome', '2026-03-27T12:00:00Z', 4);
    expect(days(skipped)).toBe(4);
    const twice = ticksAfter('30 2 * * *', 'Europe/Rome', '2026-10-23T12:00:00Z', 4);
    expect(days(twice)).toBe(4);
    expect(twice).toEqual([...twice].sort());
  });
});

describe('a schedule', () => {
  // Two nodes on a database of their own, so that nothing else makes its ticks.
  const nodes: TestApp[] = [];
  let scratch: ScratchDatabase;
  let pool: Pool;

  beforeAll(async () => {
    scratch = await scratchDatabase({ migrated: true });
    for (let node = 0; node < 2; node++) nodes.push(await startApp({ databaseUrl: scratch.serviceUrl }));
    pool = new Pool({ connectionString: scratch.url, max: 2 });
  });

  afterAll(async () => {
    await pool.end();
    await Promise.all(nodes.map((node) => node.close()));
    await scratch.drop();
  });

  const first = (): TestApp => nodes[0] ?? expectNode();
  /** An hour of the day that is far from now in any zone of Europe: only the test makes the ticks come. */
  const farHour = (): number => (new Date().getUTCHours() + 12) % 24;
  const comment = { type: 'add_comment', body: 'tick', is_internal: true };

  const planOf = async (id: number): Promise<Date | null> =>
    (
      await pool.query<{ at: Date | null }>(
        `SELECT nullif(next_run_at, '-infinity') AS at FROM automations WHERE id = $1`,
        [id],
      )
    ).rows[0]?.at ?? null;

  async function planned(id: number): Promise<Date> {
    await until('the schedule was planned', async () => (await planOf(id)) !== null);
    return (await planOf(id)) ?? new Date(Number.NaN);
  }

  /** The planned moment has come; both nodes look at once. */
  async function tick(workspace: TestWorkspace, id: number, hoursLate = 0): Promise<void> {
    await fire(id, hoursLate);
    await drained(first(), workspace);
  }

  async function fire(id: number, hoursLate = 0): Promise<void> {
    await planned(id);
    await pool.query(`UPDATE automations SET next_run_at = now() - $2 * interval '1 hour' WHERE id = $1`, [
      id,
      hoursLate,
    ]);
    await Promise.all(
      nodes.flatMap((node) => [1, 2].map(() => node.app.get(PeriodicJobs).runNow('automation-schedule'))),
    );
    await until('the tick was made', async () => ((await planOf(id))?.getTime() ?? 0) > Date.now());
  }

  it('runs once per tick on two nodes, on the tickets of its query, and plans the next tick', async () => {
    const workspace = await makeWorkspace(first());
    const cron = `0 ${farHour()} * * 1-5`;
    const { id } = await makeRule(workspace, {
      trigger: {
        event: 'schedule',
        cron,
        timezone: 'Europe/Rome',
        query: { status: 'open', priority: 'high,urgent' },
      },
      conditions: { all: [{ field: 'subject', operator: 'neq', value: 'not me' }] },
      actions: [comment],
    });
    const due = await makeTicket(workspace.api, { priority: 'high' });
    const low = await makeTicket(workspace.api, { priority: 'low' });
    const no = await makeTicket(workspace.api, { priority: 'urgent', subject: 'not me' });
    expect((await planned(id)).getTime()).toBe(nextTick(cron, 'Europe/Rome', new Date()).getTime());
    await tick(workspace, id);
    expect(await commentsOf(workspace, due.id)).toHaveLength(1);
    expect(await commentsOf(workspace, low.id)).toHaveLength(0);
    expect(await commentsOf(workspace, no.id)).toHaveLength(0);
    const runs = await runsOf(workspace, 'automations', id);
    expect(runs.map((run) => [run.ticket_id, run.event, run.event_id, run.status]).sort()).toEqual(
      [
        [due.id, 'schedule', null, 'executed'],
        [no.id, 'schedule', null, 'conditions_not_met'],
      ].sort(),
    );
    const [change] = (await workspace.api.get(`/tickets/${due.id}/history`)).rows;
    expect(change).toMatchObject({ actor: { type: 'automation', id }, causation: { depth: 1, automation_ids: [id] } });
    await tick(workspace, id);
    expect(await commentsOf(workspace, due.id)).toHaveLength(2);
  });

  it('makes up for ticks missed while nothing ran with one', async () => {
    const workspace = await makeWorkspace(first());
    const { id } = await makeRule(workspace, {
      trigger: { event: 'schedule', cron: `0 ${farHour()} * * *`, timezone: 'UTC' },
      actions: [comment],
    });
    const ticket = await makeTicket(workspace.api);
    await tick(workspace, id, 24 * 5);
    expect(await commentsOf(workspace, ticket.id)).toHaveLength(1);
    expect((await planOf(id))?.getTime()).toBeGreaterThan(Date.now());
  });

  it('looks at no more than 500 tickets at a time, those that waited longest first', async () => {
    const workspace = await makeWorkspace(first());
    const { id } = await makeRule(workspace, {
      trigger: { event: 'schedule', cron: `0 ${farHour()} * * *`, timezone: 'UTC' },
      conditions: { all: [{ field: 'priority', operator: 'eq', value: 'urgent' }] },
      actions: [comment],
    });
    await makeTicket(workspace.api, { subject: 'newest' });
    await pool.query(
      `INSERT INTO tickets (workspace_id, number, code, subject, updated_at)
       SELECT $1, 1000 + n, 'TCK-' || 1000 + n, 'old', now() - interval '1 day' FROM generate_series(1, 520) n`,
      [workspace.id],
    );
    await fire(id);
    // A run becomes a row of the log in one transaction, so both together are what the tick was about.
    const found = async (): Promise<{ n: number; newest: number } | undefined> =>
      (
        await pool.query<{ n: number; newest: number }>(
          `SELECT count(*)::integer AS n, count(*) FILTER (WHERE t.subject = 'newest')::integer AS newest
           FROM (SELECT ticket_id FROM automation_runs WHERE automation_id = $1
                 UNION ALL SELECT object_id FROM automation_passes WHERE automation_id = $1) x JOIN tickets t ON t.id = x.ticket_id`,
          [id],
        )
      ).rows[0];
    await until('the tickets were found', async () => ((await found())?.n ?? 0) > 0);
    expect(await found()).toEqual({ n: 500, newest: 0 });
  });

  it('is planned anew when it changes, and not at all while it is switched off', async () => {
    const workspace = await makeWorkspace(first());
    const schedule = (cron: string): object => ({ event: 'schedule', cron, timezone: 'Asia/Tokyo' });
    const month = ((new Date().getUTCMonth() + 6) % 12) + 1;
    const { id } = await makeRule(workspace, { trigger: schedule(`0 9 1 ${month} *`), actions: [comment] });
    const ticket = await makeTicket(workspace.api);
    const before = await planned(id);
    (await workspace.api.patch(`/automations/${id}`, { trigger: schedule(`0 10 1 ${month} *`) })).expect(200);
    expect((await planned(id)).getTime() - before.getTime()).toBe(3_600_000);
    (await workspace.api.patch(`/automations/${id}`, { is_active: false })).expect(200);
    expect(await planOf(id)).toBeNull();
    (await workspace.api.patch(`/automations/${id}`, { trigger: 'ticket.created', is_active: true })).expect(200);
    await Promise.all(nodes.map((node) => node.app.get(PeriodicJobs).runNow('automation-schedule')));
    expect(await planOf(id)).toBeNull();
    expect(await commentsOf(workspace, ticket.id)).toEqual([]);
  });
});

function expectNode(): never {
  throw new Error('The nodes are not running.');
}
