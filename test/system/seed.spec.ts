import { isDeepStrictEqual } from 'node:util';
import type { Stats } from '../../src/areas/meta/stats/stats-shape';
import { type SeedOptions, type SeedResult, seedWorkspace } from '../../src/cli/seed/workspace';
import { startApp, type TestApp } from '../support/app';
import { type ScratchDatabase, scratchDatabase } from '../support/scratch-database';
import { testServices } from '../support/services';
import { openSql } from '../support/sql';
import { bruteStats, comparable } from '../support/stats';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

let scratch: ScratchDatabase;
let app: TestApp;
let sql: ReturnType<typeof openSql>;

// On a database of its own: nobody's timers work on what is counted here.
beforeAll(async () => {
  scratch = await scratchDatabase({ migrated: true });
  app = await startApp({ databaseUrl: scratch.serviceUrl, role: 'api' });
  sql = openSql(scratch.url);
});

afterAll(async () => {
  await app.close();
  await sql.end();
  await scratch.drop();
});

function seed(workspace: TestWorkspace, options: Partial<SeedOptions>): Promise<SeedResult> {
  const owner = new URL(testServices().migrateDatabaseUrl);
  owner.pathname = `/${scratch.name}`;
  const asked = { databaseUrl: owner.href, workspaceId: workspace.id, tickets: 2_000, comments: true };
  return seedWorkspace({ ...asked, ...options });
}

/** The only number that a query answers. */
async function number(text: string, ...values: unknown[]): Promise<number> {
  const [row] = await sql.rows<Record<string, number | string>>(text, values);
  return Number(Object.values(row ?? {})[0]);
}

/** How many tickets of a workspace meet a condition that none should. */
function offenders(workspace: TestWorkspace, condition: string): Promise<number> {
  return number(`SELECT count(*) FROM tickets t WHERE workspace_id = $1 AND (${condition})`, workspace.id);
}

/** The statistics, and what counting says: again when a clock ran out, or the day, between the two. */
async function statsOf(workspace: TestWorkspace): Promise<{ answered: unknown; counted: unknown }> {
  const moving = (counted: unknown): unknown[] => {
    const { today, at_risk, breached_open } = counted as Record<string, unknown>;
    return [today, at_risk, breached_open];
  };
  for (let before = await bruteStats(sql, workspace.id, {}); ;) {
    const { data } = (await workspace.api.get('/stats')).expect(200);
    const counted = await bruteStats(sql, workspace.id, {});
    if (isDeepStrictEqual(moving(before), moving(counted)))
      return { answered: comparable(data as unknown as Stats), counted };
    before = counted;
  }
}

const impossible = {
  'a status without its moments': `(status IN ('resolved', 'closed')) <> (resolved_at IS NOT NULL) OR (status = 'closed') <> (closed_at IS NOT NULL)
    OR (status = 'on_hold') <> EXISTS (SELECT FROM sla_clocks c WHERE c.workspace_id = t.workspace_id AND c.ticket_id = t.id AND c.metric = 'resolution' AND (c.outcome = 'paused' OR t.status = 'on_hold' AND c.outcome = 'breached')) OR (status = 'on_hold') <> (on_hold_reason IS NOT NULL)`,
  'moments out of order': `created_at > now() OR updated_at < created_at OR updated_at > now() OR resolved_at < created_at OR closed_at < resolved_at
    OR closed_at > now() OR first_resolved_at > resolved_at OR first_response_at > coalesce(resolved_at, now())`,
  'a resolved ticket that is about to close': `status = 'resolved' AND resolved_at < now() - interval '6 days 1 hour'`,
  'a clock that its policy does not set': `first_response_due_at <> created_at + make_interval(mins => (SELECT (targets -> t.priority ->> 'first_response_minutes')::integer FROM sla_policies p WHERE p.id = t.sla_policy_id))
    OR sla_due_at <> created_at + make_interval(mins => (SELECT (targets -> t.priority ->> 'resolution_minutes')::integer FROM sla_policies p WHERE p.id = t.sla_policy_id), secs => (SELECT coalesce(sum(extract(epoch FROM (p ->> 'to')::timestamptz - (p ->> 'from')::timestamptz)), 0) FROM sla_clocks c, jsonb_array_elements(c.pauses) p
        WHERE c.workspace_id = t.workspace_id AND c.ticket_id = t.id AND c.metric = 'resolution')) AND status NOT IN ('resolved', 'closed')
    OR sla_policy_id IS NULL OR (sla_due_at IS NULL) <> (sla_status = 'paused')`,
  'an SLA status that the clocks do not show': `sla_status <> CASE
      WHEN EXISTS (SELECT FROM sla_clocks c WHERE c.workspace_id = t.workspace_id AND c.ticket_id = t.id AND c.outcome = 'breached') OR resolved_at > sla_due_at THEN 'breached'
      WHEN status = 'on_hold' THEN 'paused' WHEN resolved_at IS NOT NULL THEN 'met' ELSE sla_status END`,
  'no clock while it is not finished, or one afterwards': `(resolved_at IS NULL) <> EXISTS (SELECT FROM sla_clocks c WHERE c.workspace_id = t.workspace_id AND c.ticket_id = t.id AND c.metric = 'resolution')`,
  'a clock that the next sweep would find late': `EXISTS (SELECT FROM sla_clocks c WHERE c.workspace_id = t.workspace_id AND c.ticket_id = t.id AND c.next_check_at < now() - interval '1 minute')`,
  'an open ticket that missed its moment unseen': `status IN ('open', 'in_progress') AND sla_status = 'on_track' AND sla_due_at < now() - interval '1 minute'`,
  'a count of comments that is wrong': `ROW (comment_count::bigint, reply_count::bigint, first_response_at) IS DISTINCT FROM
    (SELECT ROW (count(*), count(*) FILTER (WHERE author_type = 'agent' AND NOT is_internal), min(created_at) FILTER (WHERE author_type = 'agent' AND NOT is_internal)) FROM ticket_comments c WHERE c.workspace_id = t.workspace_id AND c.ticket_id = t.id)`,
  'a requester who is not the contact': `contact_id IS NOT NULL AND ROW (requester_email, company_id) IS DISTINCT FROM
    (SELECT ROW (c.email, c.company_id) FROM contacts c WHERE c.workspace_id = t.workspace_id AND c.id = t.contact_id)`,
  'a code that is not its number': `code <> 'TCK-' || lpad(number::text, 6, '0')`,
  'no text to search': `NOT EXISTS (SELECT 1 FROM ticket_texts x WHERE x.workspace_id = t.workspace_id AND x.id = t.id AND x.search_text = words_of(t.subject || ' ' || t.code || ' ' || t.description) AND x.title_length = length(words_of(t.subject)))`,
};

describe('a seeded workspace', () => {
  let workspace: TestWorkspace;
  let result: SeedResult;

  beforeAll(async () => {
    workspace = await makeWorkspace(app);
    result = await seed(workspace, {});
  });

  test('has as many tickets and comments as the answer says', async () => {
    expect(result).toMatchObject({ tickets: 2_000, tickets_in_workspace: 2_000 });
    expect(result.comments).toBeGreaterThan(500);
    expect(await number('SELECT count(*) FROM ticket_comments WHERE workspace_id = $1', workspace.id)).toBe(
      result.comments,
    );
  });

  test.each(Object.entries(impossible))('has no ticket with %s', async (_, condition) => {
    expect(await offenders(workspace, condition)).toBe(0);
  });

  test('has every status, with open tickets that are still in time', async () => {
    const rows = await sql.rows('SELECT DISTINCT status FROM tickets WHERE workspace_id = $1', [workspace.id]);
    expect(rows).toHaveLength(5);
    expect(await offenders(workspace, `status = 'open' AND sla_status = 'on_track'`)).toBeGreaterThan(20);
  });

  test('creates its tickets one after another', async () => {
    const disorder = `SELECT count(*) FROM (SELECT created_at < lag(created_at) OVER (ORDER BY id) AS back FROM tickets WHERE workspace_id = $1) x WHERE back`;
    expect(await number(disorder, workspace.id)).toBe(0);
  });

  test('has counters equal to counting, for every combination', async () => {
    const wrong = `
      WITH counted AS (
        SELECT coalesce(status, '*') AS d1, coalesce(priority, '*') AS d2, coalesce(who, '*') AS d3, count(*) AS n
        FROM (SELECT status, priority, coalesce(assigned_to::text, '') AS who FROM tickets WHERE workspace_id = $1) t GROUP BY CUBE (status, priority, who)
      ), folded AS (
        SELECT d1, d2, d3, n FROM resource_tallies WHERE workspace_id = $1 AND resource = 'tickets'
      )
      SELECT count(*) FROM counted c FULL JOIN folded t USING (d1, d2, d3)
      WHERE c.n IS DISTINCT FROM t.n`;
    expect(await number(wrong, workspace.id)).toBe(0);
    expect(
      await number(
        `SELECT count(*) FROM resource_tally_deltas WHERE workspace_id = $1 AND resource = 'tickets'`,
        workspace.id,
      ),
    ).toBe(0);
  });

  test('has statistics equal to counting, ratings and decided clocks among them', async () => {
    const { answered, counted } = await statsOf(workspace);
    expect(answered).toEqual(counted);
    expect(Object.keys((answered as { scores: object }).scores)).toEqual(['1', '2', '3', '4', '5']);
  });

  test('is listed by the API with the exact total, and numbers go on where the seeding ended', async () => {
    const { meta } = (await workspace.api.get('/tickets?per_page=1')).expect(200);
    expect(meta.total).toBe(2_000);
    const { data } = (await workspace.api.post('/tickets', { subject: 'The next one' })).expect(201);
    expect(data.code).toBe('TCK-002001');
  });

  test('takes more, with the people it has', async () => {
    const before = await number('SELECT count(*) FROM users WHERE workspace_id = $1', workspace.id);
    expect(await seed(workspace, { tickets: 100, seed: 2, comments: false })).toMatchObject({ comments: 0 });
    expect(await number('SELECT count(*) FROM users WHERE workspace_id = $1', workspace.id)).toBe(before);
    expect(
      await number(
        'SELECT count(*) - count(DISTINCT code) + count(*) - count(DISTINCT number) FROM tickets WHERE workspace_id = $1',
        workspace.id,
      ),
    ).toBe(0);
  });
});

test('the same seed number makes the same texts', async () => {
  const texts = async (number: number): Promise<unknown> => {
    const workspace = await makeWorkspace(app);
    await seed(workspace, { tickets: 50, seed: number });
    return sql.rows('SELECT subject, description FROM tickets WHERE workspace_id = $1 ORDER BY id', [workspace.id]);
  };
  const first = await texts(5);
  expect(await texts(5)).toEqual(first);
  expect(await texts(6)).not.toEqual(first);
});

describe('a seeding over several connections', () => {
  const shared = { tickets: 1_500, connections: 2 };

  test('is as whole and as ordered as any', async () => {
    const workspace = await makeWorkspace(app);
    await seed(workspace, shared);
    for (const condition of Object.values(impossible)) expect(await offenders(workspace, condition)).toBe(0);
    const disorder = `SELECT count(*) FROM (SELECT created_at < lag(created_at) OVER (ORDER BY id) AS back FROM tickets WHERE workspace_id = $1) x WHERE back`;
    expect(await number(disorder, workspace.id)).toBe(0);
    const { answered, counted } = await statsOf(workspace);
    expect(answered).toEqual(counted);
    const dangling = `
      SELECT count(*) FROM tickets t
        LEFT JOIN users u ON u.workspace_id = t.workspace_id AND u.id = t.assigned_to
        LEFT JOIN teams g ON g.workspace_id = t.workspace_id AND g.id = t.team_id
        LEFT JOIN companies c ON c.workspace_id = t.workspace_id AND c.id = t.company_id
        LEFT JOIN categories k ON k.workspace_id = t.workspace_id AND k.id = t.category_id
      WHERE t.workspace_id = $1 AND (t.assigned_to, t.team_id, t.company_id, t.category_id) IS DISTINCT FROM (u.id, g.id, c.id, k.id)`;
    expect(await number(dangling, workspace.id)).toBe(0);
  });

  test('keeps nobody from anything', async () => {
    const [workspace, other] = [await makeWorkspace(app), await makeWorkspace(app)];
    const answers: Promise<{ status: number }>[] = [];
    await seed(workspace, {
      ...shared,
      progress: () =>
        answers.push(other.api.post('/tickets', { subject: 'x' }), workspace.api.get('/tickets?q=printer')),
    });
    expect(answers.length).toBeGreaterThan(8);
    for (const { status } of await Promise.all(answers)) expect([200, 201]).toContain(status);
  });

  test('that is interrupted leaves what it has added, whole and counted', async () => {
    const workspace = await makeWorkspace(app);
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'helpdesk-api seed' AND datname = current_database()`;
    const killed: Promise<unknown>[] = [];
    const progress = (step: string): void => {
      if (step.startsWith('500 ')) killed.push(sql.rows(end));
    };
    // So many that the end of its connections comes long before its own.
    await expect(seed(workspace, { ...shared, tickets: 20_000, progress })).rejects.toThrow();
    await Promise.all(killed);
    const left = await number('SELECT count(*) FROM tickets WHERE workspace_id = $1', workspace.id);
    expect(left).toBeGreaterThanOrEqual(500);
    expect([left % 500, left < 20_000]).toEqual([0, true]);
    for (const condition of Object.values(impossible)) expect(await offenders(workspace, condition)).toBe(0);
    expect((await workspace.api.get('/tickets')).expect(200).meta.total).toBe(left);
    expect(await seed(workspace, { tickets: 500 })).toMatchObject({ tickets_in_workspace: left + 500 });
  });
});
