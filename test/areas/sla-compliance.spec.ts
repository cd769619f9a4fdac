import fc from 'fast-check';
import { ComplianceQuery, complianceScope } from '../../src/areas/sla/compliance-query';
import type { Compliance } from '../../src/areas/sla/compliance-answer';
import { rated } from '../../src/areas/sla/compliance.service';
import { ApiError } from '../../src/platform/errors/api-error';
import { Client } from 'pg';
import { useApp } from '../support/app';
import { testServices } from '../support/services';
import { useSql } from '../support/sql';
import { readQuery } from '../support/read-query';
import { thrownBy } from '../support/thrown-by';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const shared = useApp();
const sql = useSql();

const NOW = Date.parse('2026-10-20T12:00:00.000Z');

/** A ticket whose clocks are made up for the test. */
async function ticket({ api }: TestWorkspace): Promise<number> {
  const { data } = (await api.post('/tickets', { subject: 'Counted' })).expect(201);
  await sql.rows(`DELETE FROM sla_clocks WHERE ticket_id = $1`, [data.id]);
  return data.id;
}

interface Made {
  metric?: string;
  priority?: string;
  outcome: string;
  fulfilled_at?: string;
  breached_at?: string;
  decided_at?: string;
  team_id?: number;
  agent_id?: number;
}

let instance = 0;

async function clock(workspace: TestWorkspace, ticketId: number, made: Made): Promise<void> {
  const values = { metric: 'resolution', priority: 'medium', ...made };
  await sql.rows(
    `INSERT INTO sla_clocks (workspace_id, ticket_id, policy_version, metric, instance_no, priority_applied, target_seconds, started_at, outcome,
       fulfilled_at, breached_at, decided_at, team_id, agent_id)
     VALUES ($1, $2, 1, $3, $4, $5, 3600, '2026-01-01Z', $6, $7, $8, $9, $10, $11)`,
    [
      workspace.id,
      ticketId,
      values.metric,
      ++instance + 1_000,
      values.priority,
      made.outcome,
      made.fulfilled_at,
      made.breached_at,
      made.decided_at,
      made.team_id,
      made.agent_id,
    ],
  );
}

async function compliance({ api }: TestWorkspace, query = ''): Promise<Compliance> {
  const answer = (await api.get(`/sla/compliance?${query}`)).expect(200);
  return answer.body.data as Compliance;
}

describe('GET /sla/compliance', () => {
  it('has no percentage where nothing was decided', async () => {
    const workspace = await makeWorkspace(shared);
    (await workspace.api.post('/tickets', { subject: 'Still running' })).expect(201);
    const answer = await compliance(workspace, 'group_by=metric');
    expect(answer).toMatchObject({
      total: { met: 0, breached: 0, compliance_pct: null },
      groups: [],
      truncated: false,
    });
    expect(Date.parse(answer.to) - Date.parse(answer.from)).toBe(30 * 86_400_000);
  });

  it('counts what was decided in the window, its last day included, and nothing else', async () => {
    const workspace = await makeWorkspace(shared);
    const id = await ticket(workspace);
    const decided = (at: string, outcome: string): Promise<void> =>
      clock(workspace, id, {
        outcome,
        decided_at: at,
        ...(outcome === 'met' ? { fulfilled_at: at } : { breached_at: at }),
      });
    await decided('2026-03-01T00:00:00Z', 'met');
    await decided('2026-03-31T23:59:59.999Z', 'met');
    await decided('2026-03-15T00:00:00Z', 'breached');
    await decided('2026-02-28T23:59:59.999Z', 'breached');
    await decided('2026-04-01T00:00:00Z', 'breached');
    for (const outcome of ['active', 'paused']) await clock(workspace, id, { outcome });
    await clock(workspace, id, { outcome: 'cancelled', decided_at: '2026-03-15T00:00:00Z' });
    const { total } = await compliance(workspace, 'from=2026-03-01&to=2026-03-31');
    expect(total).toEqual({ met: 2, breached: 1, compliance_pct: 66.67 });
    const { total: hours } = await compliance(workspace, 'from=2026-03-15T00:00:00%2B01:00&to=2026-03-15T12:00:00Z');
    expect(hours).toEqual({ met: 0, breached: 1, compliance_pct: 0 });
  });

  it('splits by metric, priority, team and agent, together or apart', async () => {
    const workspace = await makeWorkspace(shared);
    const { data: team } = (await workspace.api.post('/teams', { name: 'First line' })).expect(201);
    const { data: user } = (await workspace.api.post('/users', { name: 'Ada', email: 'ada@example.com' })).expect(201);
    const id = await ticket(workspace);
    const at = { decided_at: '2026-03-15T00:00:00Z' };
    const ours = { ...at, team_id: team.id, agent_id: user.id };
    await clock(workspace, id, { ...ours, outcome: 'met', metric: 'first_response', priority: 'high' });
    await clock(workspace, id, { ...ours, outcome: 'breached', metric: 'resolution', priority: 'high' });
    await clock(workspace, id, { ...at, outcome: 'met', metric: 'resolution', priority: 'urgent' });
    const by = async (groups: string): Promise<unknown> =>
      (await compliance(workspace, `from=2026-03-01&to=2026-03-31&group_by=${groups}`)).groups;
    expect(await by('metric')).toEqual([
      { metric: 'first_response', met: 1, breached: 0, compliance_pct: 100 },
      { metric: 'resolution', met: 1, breached: 1, compliance_pct: 50 },
    ]);
    expect(await by('priority')).toEqual([
      { priority: 'urgent', met: 1, breached: 0, compliance_pct: 100 },
      { priority: 'high', met: 1, breached: 1, compliance_pct: 50 },
    ]);
    expect(await by('agent,team')).toEqual([
      { agent_id: user.id, team_id: team.id, met: 1, breached: 1, compliance_pct: 50 },
      { agent_id: null, team_id: null, met: 1, breached: 0, compliance_pct: 100 },
    ]);
  });

  it('counts a breach that no worker has noticed yet, for whoever has the ticket', async () => {
    const workspace = await makeWorkspace(shared);
    const { data: team } = (await workspace.api.post('/teams', { name: 'First line' })).expect(201);
    const { data } = (await workspace.api.post('/tickets', { subject: 'Late', team_id: team.id })).expect(201);
    // Workers leave tickets alone that someone is changing.
    const change = new Client({ connectionString: testServices().adminUrl });
    await change.connect();
    try {
      await change.query('BEGIN');
      await change.query(`SELECT FROM tickets WHERE workspace_id = $1 AND id = $2 FOR UPDATE`, [workspace.id, data.id]);
      await sql.rows(
        `UPDATE sla_clocks SET due_at = now() - interval '1 hour', next_check_at = now() - interval '1 hour'
         WHERE workspace_id = $1 AND ticket_id = $2 AND metric = 'resolution'`,
        [workspace.id, data.id],
      );
      expect(await compliance(workspace, 'group_by=team')).toMatchObject({
        total: { met: 0, breached: 1, compliance_pct: 0 },
        groups: [{ team_id: team.id, met: 0, breached: 1, compliance_pct: 0 }],
      });
    } finally {
      await change.end();
    }
  });

  it('shows nothing of other workspaces', async () => {
    const [ours, theirs] = [await makeWorkspace(shared), await makeWorkspace(shared)];
    await clock(theirs, await ticket(theirs), { outcome: 'met', decided_at: '2026-03-15T00:00:00Z' });
    expect((await compliance(ours, 'from=2026-03-01&to=2026-03-31&group_by=metric')).groups).toEqual([]);
    expect((await compliance(theirs, 'from=2026-03-01&to=2026-03-31')).total.met).toBe(1);
  });

  it('refuses windows and groups that it cannot read', async () => {
    const { api } = await makeWorkspace(shared);
    for (const query of ['from=yesterday', 'from=2026-03-02&to=2026-03-01', 'group_by=team,colour', 'month=3']) {
      expect((await api.get(`/sla/compliance?${query}`)).status).toBe(422);
    }
  });
});

describe('the query of the compliance', () => {
  const scopeOf = (query: object) => complianceScope(readQuery(ComplianceQuery, query), NOW);

  it('takes dates and timestamps', () => {
    expect(scopeOf({ from: '2026-03-01', to: '2026-03-02T01:00:00+01:00', group_by: 'team, metric' })).toEqual({
      from: '2026-03-01T00:00:00.000Z',
      to: '2026-03-02T00:00:00.000Z',
      groupBy: ['team', 'metric'],
    });
    expect(scopeOf({})).toMatchObject({ from: '2026-09-20T12:00:00.000Z', groupBy: [] });
  });

  it.each<[object, string, string]>([
    [{ from: '2026-02-30' }, 'from', 'format'],
    [{ to: ['2026-01-01', '2026-01-02'] }, 'to', 'format'],
    [{ to: '2026-10-20T12:00:00' }, 'to', 'format'],
    [{ from: '2026-10-20T12:00:00Z' }, 'from', 'order'],
    [{ from: '2025-10-01' }, 'from', 'max'],
    [{ group_by: 'team,team' }, 'group_by', 'enum'],
  ])('refuses %j', (query, field, code) => {
    const { extras } = thrownBy(() => scopeOf(query), ApiError);
    expect(extras.details).toEqual([expect.objectContaining({ field, code })]);
  });

  it('leads to percentages from 0 to 100, or to none', () => {
    fc.assert(
      fc.property(fc.nat(100_000), fc.nat(100_000), (met, breached) => {
        const { compliance_pct: pct } = rated({ met, breached });
        expect(pct === null).toBe(met + breached === 0);
        expect((pct ?? 0) >= 0 && (pct ?? 0) <= 100).toBe(true);
        if (breached === 0 && met > 0) expect(pct).toBe(100);
      }),
    );
  });
});
