import { useApp } from '../support/app';
import { make, makeTicket, makeUser } from '../support/cast';
import { makePerson } from '../support/people';
import { useSql } from '../support/sql';
import { CSV, linesOf, opened, restOf, XLSX } from '../support/tables';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';
import { unzipped } from '../support/zip';

const server = useApp();
const sql = useSql();

interface Shown {
  from: string;
  to: string;
  timezone: string;
  group_by: string[];
  total: Record<string, unknown>;
  groups: Record<string, unknown>[];
  truncated: boolean;
}

async function report({ api }: TestWorkspace, path: string): Promise<Shown> {
  return (await api.get(`/reports/${path}`)).expect(200).body.data as Shown;
}

/** A workspace of a zone, whose day begins half a day before that of UTC. */
async function place(): Promise<TestWorkspace> {
  const workspace = await makeWorkspace(server);
  await sql.rows(`UPDATE workspaces SET timezone = 'Pacific/Auckland' WHERE id = $1`, [workspace.id]);
  return workspace;
}

const MARCH = 'from=2026-03-01&to=2026-03-31';
let instance = 0;

/** A clock as a worker decided it. */
async function clock(
  { id }: TestWorkspace,
  ticket: number,
  at: string,
  outcome: string,
  whose: { team?: number; agent?: number; priority?: string } = {},
): Promise<void> {
  await sql.rows(
    `INSERT INTO sla_clocks (workspace_id, ticket_id, policy_version, metric, instance_no, priority_applied, target_seconds, started_at, outcome, decided_at, team_id, agent_id)
     VALUES ($1, $2, 1, 'resolution', $3, $4, 3600, '2026-01-01Z', $5, $6, $7, $8)`,
    [id, ticket, ++instance + 1_000, whose.priority ?? 'medium', outcome, at, whose.team, whose.agent],
  );
}

async function quietTicket(workspace: TestWorkspace, body: Record<string, unknown> = {}): Promise<number> {
  const { id } = await makeTicket(workspace.api, { subject: 'Counted', ...body });
  await sql.rows('DELETE FROM sla_clocks WHERE ticket_id = $1', [id]);
  return id;
}

it('a report is about the tickets that the caller sees, and names what they may read', async () => {
  const workspace = await place();
  const team = await make(workspace.api, '/teams', { name: 'Harbour' });
  const company = await make(workspace.api, '/companies', { name: 'Acme' });
  const solo = await makePerson(server, workspace, { ticket_scope: 'assigned' });
  const mate = await makePerson(server, workspace, { ticket_scope: 'teams', team_ids: [team.id] });
  const about = { company_id: company.id };
  const tickets = [
    await quietTicket(workspace, { assigned_to: solo.id, ...about }),
    await quietTicket(workspace, { team_id: team.id, ...about }),
    await quietTicket(workspace),
  ];
  for (const ticket of tickets) await clock(workspace, ticket, '2026-03-10T00:00:00Z', 'met', { agent: solo.id });
  const met = async (api: TestWorkspace['api'], path = 'sla'): Promise<unknown> =>
    (await report({ ...workspace, api }, `${path}?${MARCH}`)).total['met'];
  expect([await met(workspace.api), await met(solo.api), await met(mate.api)]).toEqual([3, 1, 1]);
  expect([await met(solo.api, 'agents'), await met(mate.api, 'agents')]).toEqual([1, 1]);
  const role = await make(workspace.api, '/roles', { permissions: ['reports.read', 'tickets.read'] });
  const clerk = await makePerson(server, workspace, { role_id: role.id });
  const { groups } = await report({ ...workspace, api: clerk.api }, `sla?${MARCH}&group_by=company`);
  expect(groups).toMatchObject([
    { company_id: company.id, company: null, met: 2 },
    { company_id: null, company: null, met: 1 },
  ]);
  const csv = (await solo.api.get(`/reports/sla?${MARCH}&group_by=agent`, { accept: CSV })).expect(200);
  expect(linesOf(csv.text)[1]?.[2]).toBe('1');
});

describe('GET /reports/sla', () => {
  it('counts days, weeks and months by the clocks of the workspace', async () => {
    const workspace = await place();
    const id = await quietTicket(workspace);
    await clock(workspace, id, '2026-02-28T10:59:59.999Z', 'met');
    await clock(workspace, id, '2026-02-28T11:00:00Z', 'met');
    await clock(workspace, id, '2026-03-01T10:59:00Z', 'breached');
    await clock(workspace, id, '2026-03-01T11:00:00Z', 'met');
    await clock(workspace, id, '2026-03-31T10:59:59.999Z', 'met');
    await clock(workspace, id, '2026-03-31T11:00:00Z', 'met');
    const days = await report(workspace, `sla?${MARCH}&group_by=day`);
    expect(days).toMatchObject({
      from: '2026-02-28T11:00:00.000Z',
      to: '2026-03-31T11:00:00.000Z',
      timezone: 'Pacific/Auckland',
      group_by: ['day'],
      total: { met: 3, breached: 1, compliance_pct: 75 },
      truncated: false,
    });
    expect(days.groups).toEqual([
      { day: '2026-03-01', met: 1, breached: 1, compliance_pct: 50 },
      { day: '2026-03-02', met: 1, breached: 0, compliance_pct: 100 },
      { day: '2026-03-31', met: 1, breached: 0, compliance_pct: 100 },
    ]);
    const weeks = await report(workspace, `sla?${MARCH}&group_by=week`);
    expect(weeks.groups.map(({ week, met }) => [week, met])).toEqual([
      ['2026-02-23', 1],
      ['2026-03-02', 1],
      ['2026-03-30', 1],
    ]);
    expect((await report(workspace, `sla?${MARCH}&group_by=month`)).groups).toMatchObject([
      { month: '2026-03', met: 3 },
    ]);
  });

  it('tells apart whose it was then, and what the ticket is now', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    const team = await make(api, '/teams', { name: 'First line' });
    const agent = await makeUser(api, { name: 'Ada' });
    const category = await make(api, '/categories', { name: 'Hardware' });
    const company = await make(api, '/companies', { name: 'Studio' });
    const filed = await quietTicket(workspace, {
      category_id: category.id,
      company_id: company.id,
      channel: 'phone',
      priority: 'low',
    });
    const plain = await quietTicket(workspace);
    const at = '2026-03-10T12:00:00Z';
    await clock(workspace, filed, at, 'met', { team: team.id, agent: agent.id, priority: 'urgent' });
    await clock(workspace, plain, at, 'breached', { priority: 'high' });
    const by = async (groups: string): Promise<unknown> =>
      (await report(workspace, `sla?${MARCH}&group_by=${groups}`)).groups;
    const [met, breached] = [
      { met: 1, breached: 0, compliance_pct: 100 },
      { met: 0, breached: 1, compliance_pct: 0 },
    ];
    expect(await by('team')).toEqual([
      { team_id: team.id, team: 'First line', ...met },
      { team_id: null, team: null, ...breached },
    ]);
    expect(await by('priority')).toEqual([
      { priority: 'urgent', ...met },
      { priority: 'high', ...breached },
    ]);
    expect(await by('category,company')).toEqual([
      { category_id: category.id, category: 'Hardware', company_id: company.id, company: 'Studio', ...met },
      { category_id: null, category: null, company_id: null, company: null, ...breached },
    ]);
    expect(await by('channel')).toEqual([
      { channel: 'phone', ...met },
      { channel: 'portal', ...breached },
    ]);
    expect(await by('agent,metric')).toMatchObject([
      { agent_id: agent.id, agent: 'Ada', metric: 'resolution', ...met },
      { agent_id: null, metric: 'resolution', ...breached },
    ]);
  });

  it('agrees with what is told of compliance, breaches that nobody noticed yet included', async () => {
    const workspace = await makeWorkspace(server);
    const { id } = await makeTicket(workspace.api, { subject: 'Late' });
    await sql.rows(
      `UPDATE sla_clocks SET due_at = now() - interval '1 hour', next_check_at = now() - interval '1 hour' WHERE ticket_id = $1`,
      [id],
    );
    const { total } = await report(workspace, 'sla');
    expect(total).toMatchObject({ met: 0 });
    expect(Number(total.breached)).toBeGreaterThan(0);
    expect((await workspace.api.get('/sla/compliance')).body.data).toMatchObject({ total });
  });

  it('is a table, too, with its columns where there are no rows', async () => {
    const workspace = await makeWorkspace(server);
    const lines = async (query: string): Promise<string[][]> =>
      linesOf((await workspace.api.get(`/reports/sla?${MARCH}${query}`, { accept: CSV })).expect(200).text);
    expect(await lines('')).toEqual([
      ['met', 'breached', 'compliance_pct'],
      ['0', '0', ''],
    ]);
    expect(await lines('&group_by=team,day')).toEqual([
      ['team_id', 'team', 'day', 'met', 'breached', 'compliance_pct'],
    ]);
    await clock(workspace, await quietTicket(workspace), '2026-03-10T12:00:00Z', 'met');
    expect(await lines('&group_by=day')).toContainEqual(['2026-03-10', '1', '0', '100']);
    const answer = await opened(`${server.url}/v1/reports/sla?${MARCH}`, workspace.token, { accept: XLSX });
    expect(answer.headers['content-disposition']).toBe('attachment; filename="sla-report.xlsx"');
    expect(
      unzipped(await restOf(answer))
        .get('xl/worksheets/sheet1.xml')
        ?.toString(),
    ).toContain('<v>100</v>');
  });

  it('refuses what it cannot tell', async () => {
    const { api } = await makeWorkspace(server);
    for (const [query, field] of [
      ['group_by=weather', 'group_by'],
      ['group_by=day,day', 'group_by'],
      ['group_by=day,team,agent,channel', 'group_by'],
      ['from=2026-03-02&to=2026-03-01', 'from'],
      ['from=2024-03-02&to=2026-03-01', 'from'],
      ['from=soon', 'from'],
      ['fields=id', 'fields'],
    ])
      expect(Object.keys((await api.get(`/reports/sla?${query}`)).expect(422).codes)).toEqual([field]);
    expect((await api.get('/reports/csat?group_by=metric')).status).toBe(422);
    expect((await api.get('/reports/revenue')).status).toBe(404);
  });
});

describe('GET /reports/agents and /reports/csat', () => {
  it('count what each has done, and how it was liked, in one workspace alone', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    const [ada, ben] = [await makeUser(api, { name: 'Ada' }), await makeUser(api, { name: 'Ben' })];
    const scores = [5, 4, 1];
    for (const score of scores) {
      const { id } = await makeTicket(api, { subject: 'Done', assigned_to: ada.id });
      await sql.rows(
        `INSERT INTO ticket_comments (workspace_id, ticket_id, body, is_internal, author_type, author_id, channel)
         VALUES ($1, $2, 'x', false, 'agent', $3, 'portal'), ($1, $2, 'x', true, 'agent', $4, 'portal')`,
        [workspace.id, id, ada.id, ben.id],
      );
      (await api.patch(`/tickets/${id}`, { status: 'resolved' })).expect(200);
      (await api.post(`/tickets/${id}/rate`, { score })).expect(200);
    }
    await makeTicket(api, { subject: 'Open', assigned_to: ben.id });
    const agents = await report(workspace, 'agents');
    expect(agents.group_by).toEqual(['agent']);
    expect(agents.groups).toMatchObject([
      {
        agent_id: ada.id,
        agent: 'Ada',
        resolved: 3,
        replies: 3,
        internal_notes: 0,
        csat_responses: 3,
        csat_average: 3.33,
      },
      { agent_id: ben.id, agent: 'Ben', resolved: 0, resolution_median_minutes: null, replies: 0, internal_notes: 3 },
    ]);
    expect(agents.total).toMatchObject({ resolved: 3, replies: 3, internal_notes: 3, csat_responses: 3 });
    expect(typeof agents.groups[0]?.resolution_median_minutes).toBe('number');
    const csat = await report(workspace, 'csat');
    const stats = (await api.get('/stats')).body.data as { csat: Record<string, unknown> };
    expect(csat.total).toEqual({
      responses: 3,
      average: stats.csat.average,
      score_pct: stats.csat.score_pct,
      ...{ score_1: 1, score_2: 0, score_3: 0, score_4: 1, score_5: 1 },
    });
    expect((await report(workspace, 'csat?group_by=agent')).groups).toMatchObject([{ agent: 'Ada', responses: 3 }]);
    const other = await makeWorkspace(server);
    expect((await report(other, 'agents')).groups).toEqual([]);
    expect((await report(other, 'csat')).total).toMatchObject({ responses: 0, average: null });
  });
});
