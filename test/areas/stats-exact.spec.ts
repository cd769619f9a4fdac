import fc from 'fast-check';
import type { Stats } from '../../src/areas/meta/stats/stats-shape';
import { StatsParameters, type StatsQuery, statsQuery } from '../../src/areas/meta/stats/stats-query';
import { MEASURES } from '../../src/areas/meta/stats/stats-measures';
import { type StatsRow, statsStatement } from '../../src/areas/meta/stats/stats-statement';
import { Database } from '../../src/platform/database/database';
import { PeriodicJobs } from '../../src/platform/schedule/periodic-jobs';
import { useApp } from '../support/app';
import { make, makeTicket, makeUser } from '../support/cast';
import { readQuery } from '../support/read-query';
import { bruteStats, comparable, queryOf, type Wanted } from '../support/stats';
import { useSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

const STATUSES = ['open', 'in_progress', 'on_hold', 'resolved', 'closed'];
const PRIORITIES = ['low', 'medium', 'high', 'urgent'];
const DAY_MS = 86_400_000;
const iso = (daysAgo: number): string => new Date(Date.now() - daysAgo * DAY_MS).toISOString();
const date = (daysAgo: number): string => iso(daysAgo).slice(0, 10);

/** A workspace in which anything happens to tickets. */
class Story {
  readonly tickets: number[] = [];

  constructor(
    readonly workspace: TestWorkspace,
    readonly teams: readonly number[],
    readonly users: readonly number[],
  ) {}

  static async begin(zone: string): Promise<Story> {
    const workspace = await makeWorkspace(server);
    // The timers of no application close what the story ages, between an answer and its count.
    await sql.rows(
      `UPDATE workspaces SET timezone = $2, settings = settings || '{"auto_close_days": 0}' WHERE id = $1`,
      [workspace.id, zone],
    );
    const teams = [await make(workspace.api, '/teams'), await make(workspace.api, '/teams')].map(({ id }) => id);
    const users = [await makeUser(workspace.api), await makeUser(workspace.api)].map(({ id }) => id);
    return new Story(workspace, teams, users);
  }

  async step([what, which, a, b]: readonly [number, number, number, number]): Promise<void> {
    const { api } = this.workspace;
    const id = this.tickets[which % Math.max(1, this.tickets.length)];
    const whose = { team_id: [...this.teams, null][a % 3], assigned_to: [...this.users, null][b % 3] };
    if (id === undefined || what < 4) {
      const body = {
        status: STATUSES[b % 5],
        priority: PRIORITIES[a % 4],
        channel: ['email', 'phone'][a % 2],
        ...whose,
      };
      const made = await makeTicket(api, body);
      this.tickets.push(made.id);
      return this.age(made.id, a, b);
    }
    if (what < 7) await api.patch(`/tickets/${id}`, { status: STATUSES[a % 5] });
    else if (what < 9) await api.patch(`/tickets/${id}`, { priority: PRIORITIES[a % 4], ...whose });
    else if (what < 11) await api.post(`/tickets/${id}/comments`, { body: 'We are on it.' });
    else if (what < 13) await api.post(`/tickets/${id}/rate`, { score: 1 + (a % 5) });
    else if (what < 14)
      await sql.rows(`UPDATE tickets SET sla_status = $2 WHERE id = $1`, [id, ['breached', 'at_risk', 'met'][a % 3]]);
    else if (what < 15) await this.age(id, a, b);
    else {
      await api.delete(`/tickets/${id}`);
      this.tickets.splice(this.tickets.indexOf(id), 1);
    }
  }

  /** Moves a ticket and everything about it into the past, so that windows have something to cut. */
  private async age(id: number, a: number, b: number): Promise<void> {
    const ago = `make_interval(hours => ${(a * 37 + b * 11) % 2_400})`;
    await sql.rows(
      `UPDATE tickets SET created_at = now() - ${ago}, resolved_at = resolved_at - ${ago} / 2,
         first_response_at = CASE WHEN $2 THEN now() - ${ago} / 3 END WHERE id = $1`,
      [id, b % 2 === 0],
    );
    await sql.rows(`UPDATE sla_clocks SET decided_at = decided_at - ${ago} WHERE ticket_id = $1`, [id]);
    await sql.rows(`UPDATE ticket_ratings SET rated_at = rated_at - ${ago} WHERE ticket_id = $1`, [id]);
  }

  /** What is asked for: everything, by team and assignee, by days and months and parts of days, and both. */
  wanted(): Wanted[] {
    const [team, other] = this.teams;
    const [assignee] = this.users;
    return [
      {},
      { ...(team ? { team } : {}) },
      { ...(assignee ? { assignee } : {}) },
      { team: 'none', assignee: 'none' },
      { ...(other ? { team: other } : {}), ...(assignee ? { assignee } : {}) },
      { from: date(80) },
      { from: date(95), to: date(3) },
      { from: iso(70.3), to: iso(20.9) },
      { from: iso(1.2), to: iso(0.9) },
      { ...(team ? { team } : {}), from: iso(50.5) },
      { ...(other ? { team: other } : {}), from: iso(94.7), to: iso(5.2) },
      { team: 'none', to: date(12) },
      { assignee: 'none', from: date(60), to: date(10) },
    ];
  }
}

/** What the statement finds by counting buckets alone. */
async function counting(workspace: number, query: StatsQuery): Promise<StatsRow | undefined> {
  const database = server.app.get(Database);
  const [row] = await database.inWorkspace(workspace, { type: 'system', id: null, name: 'test' }, () =>
    database.read(statsStatement(workspace, query, Date.now(), 0)),
  );
  return row;
}

/** What the API answers, and what the statement finds by counting buckets alone, against what is counted row by row. */
async function check({ workspace }: Story, wanted: Wanted): Promise<void> {
  const { data } = (await workspace.api.get(`/stats?${queryOf(wanted)}`)).expect(200);
  const answered = comparable(data as unknown as Stats);
  const counted = await bruteStats(sql, workspace.id, wanted);
  expect({ wanted, ...(answered as object) }).toEqual({ wanted, ...(counted as object) });
  const parameters = { from: wanted.from, to: wanted.to, team_id: wanted.team, assigned_to: wanted.assignee };
  const texts = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const query = statsQuery(readQuery(StatsParameters, Object.fromEntries(texts) as Record<string, string>), Date.now());
  const row = await counting(workspace.id, query);
  const minutes = [row?.first_response, row?.resolution].flatMap((times) =>
    (times ?? [null, null]).map((ms) => (ms === null ? null : ms / 60_000)),
  );
  expect({ wanted, times: minutes }).toEqual({ wanted, times: (counted as { times: unknown }).times });
}

const nat = fc.nat(1_000);
const zones = fc.constantFrom('UTC', 'America/New_York', 'Asia/Kolkata');

it('says after any changes what counting says, while a job folds the counters', async () => {
  await fc.assert(
    fc.asyncProperty(
      zones,
      fc.array(fc.tuple(fc.nat(15), nat, nat, nat), { minLength: 25, maxLength: 32 }),
      async (zone, steps) => {
        const story = await Story.begin(zone);
        const jobs = server.app.get(PeriodicJobs);
        for (const [index, step] of steps.entries()) {
          await story.step(step);
          if (index % 9 === 4) await Promise.all([jobs.runNow('fold-stats'), check(story, {})]);
        }
        const kinds = story.wanted();
        for (const wanted of kinds.filter((_, index) => index % 2 === 0)) await check(story, wanted);
        await jobs.runNow('fold-stats');
        for (const wanted of kinds) await check(story, wanted);
        await expectMonths(story.workspace);
      },
    ),
    { numRuns: 2, endOnFailure: true },
  );
});

/** Whatever was folded, and however often: a month is what its days are. */
async function expectMonths({ id }: TestWorkspace): Promise<void> {
  const columns = MEASURES.map((name) => `sum(${name})::integer AS ${name}`).join(', ');
  const of = (table: string, period: string): string =>
    `SELECT team_id, assigned_to, date_trunc('month', ${period})::date::text AS month, ${columns} FROM ${table} WHERE workspace_id = $1
     GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;
  const months = await sql.rows(of('ticket_stat_months', 'month'), [id]);
  expect(months.length).toBeGreaterThan(0);
  expect(months).toEqual(await sql.rows(of('ticket_stat_days', 'day'), [id]));
}

it('finds a rank from whichever end of its bucket is nearer', async () => {
  const story = await Story.begin('UTC');
  const ids: number[] = [];
  for (let n = 0; n < 13; n += 1) ids.push((await makeTicket(story.workspace.api)).id);
  // Seconds: so many in one bucket, beside one in each of two others.
  const seconds = fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 100_000, max: 100_900 }) },
    { weight: 1, arbitrary: fc.constantFrom(50_000, 200_000) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(seconds, { minLength: 1, maxLength: ids.length }), async (times) => {
      await sql.rows(
        `UPDATE tickets t SET resolved_at = t.created_at + make_interval(secs => v.s)
         FROM unnest($2::bigint[], $3::integer[]) v(id, s) WHERE t.workspace_id = $1 AND t.id = v.id`,
        [story.workspace.id, ids, ids.map((_, index) => times[index] ?? null)],
      );
      const query = statsQuery({}, Date.now());
      const inOrder = times.map((time) => time * 1_000).sort((a, b) => a - b);
      const at = (quantile: number): number => {
        const rank = (inOrder.length - 1) * quantile;
        const [low, high] = [inOrder[Math.floor(rank)] ?? 0, inOrder[Math.ceil(rank)] ?? 0];
        return low + (high - low) * (rank - Math.floor(rank));
      };
      const found = (await counting(story.workspace.id, query))?.resolution ?? [];
      expect(found.map(Math.round)).toEqual([at(0.5), at(0.9)].map(Math.round));
    }),
    { numRuns: 40, endOnFailure: true },
  );
});
