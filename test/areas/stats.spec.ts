import fc from 'fast-check';
import { percent, statsAnswer } from '../../src/areas/meta/stats/stats-answer';
import type { Stats } from '../../src/areas/meta/stats/stats-shape';
import { StatsParameters, statsQuery } from '../../src/areas/meta/stats/stats-query';
import { type StatsWindow, statsWindow } from '../../src/areas/meta/stats/stats-window';
import { nearestMidnight } from '../../src/areas/meta/stats/today-sql';
import { Tokens } from '../../src/platform/auth/tokens.service';
import { ApiError } from '../../src/platform/errors/api-error';
import { Api } from '../support/api';
import { useApp } from '../support/app';
import { make, makeTicket, makeUser } from '../support/cast';
import { middayZone } from '../support/midday';
import { letPass } from '../support/sandbox';
import { useSql } from '../support/sql';
import { readQuery } from '../support/read-query';
import { thrownBy } from '../support/thrown-by';
import { makeWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

const read = async (api: Api, query = ''): Promise<Stats> =>
  (await api.get(`/stats?${query}`)).expect(200).data as unknown as Stats;

describe('GET /stats', () => {
  it('has every member where there is nothing, with null where nothing was measured', async () => {
    const { api } = await makeWorkspace(server);
    expect(await read(api)).toEqual({
      tickets: {
        total: 0,
        by_status: { open: 0, in_progress: 0, on_hold: 0, resolved: 0, closed: 0 },
        by_priority: { low: 0, medium: 0, high: 0, urgent: 0 },
        by_channel: { portal: 0, email: 0, phone: 0, chat: 0, internal: 0 },
        unassigned: 0,
        created_today: 0,
        resolved_today: 0,
        backlog_age_p50_hours: null,
      },
      sla: {
        compliance_pct: null,
        by_metric: {
          first_response: { met: 0, breached: 0, pct: null },
          next_response: { met: 0, breached: 0, pct: null },
          resolution: { met: 0, breached: 0, pct: null },
        },
        at_risk: 0,
        breached_open: 0,
      },
      response: {
        first_response_median_minutes: null,
        first_response_p90_minutes: null,
        resolution_median_minutes: null,
        resolution_p90_minutes: null,
      },
      csat: { score_pct: null, average: null, responses: 0, by_score: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 } },
      resources: {
        ...{ companies: 0, contacts: 0, users: 0, kb_articles: 0, assets: 0 },
        ...{ meetings: 0, leads: 0, deals: 0, quotes: 0, automations: 0 },
      },
    });
  });

  it('counts what is there, every rating of every resolution among it', async () => {
    const { api, id: workspace } = await makeWorkspace(server);
    await sql.rows('UPDATE workspaces SET timezone = $2 WHERE id = $1', [workspace, middayZone()]);
    await make(api, '/companies');
    await makeUser(api);
    const { id } = await makeTicket(api, { priority: 'urgent', channel: 'phone' });
    await makeTicket(api, { status: 'in_progress', requester_email: 'ada@people.example' });
    (await api.post(`/tickets/${id}/comments`, { body: 'Here we are.' })).expect(201);
    for (const score of [5, 2]) {
      (await api.patch(`/tickets/${id}`, { status: 'resolved' })).expect(200);
      (await api.post(`/tickets/${id}/rate`, { score })).expect(200);
      if (score === 5) (await api.post(`/tickets/${id}/reopen`)).expect(200);
    }
    const stats = await read(api);
    expect(stats.tickets).toMatchObject({
      total: 2,
      by_status: { open: 0, in_progress: 1, resolved: 1 },
      by_priority: { medium: 1, urgent: 1 },
      by_channel: { phone: 1, portal: 1 },
      ...{ unassigned: 2, created_today: 2, resolved_today: 1 },
    });
    expect(stats.csat).toEqual({
      score_pct: 50,
      average: 3.5,
      responses: 2,
      by_score: { 1: 0, 2: 1, 3: 0, 4: 0, 5: 1 },
    });
    expect(stats.sla.by_metric).toMatchObject({ first_response: { met: 1, pct: 100 }, resolution: { met: 1 } });
    expect(stats.resources).toMatchObject({ companies: 1, contacts: 1, users: 1, leads: 0 });
    expect(stats.response.first_response_median_minutes).toBeGreaterThanOrEqual(0);
    expect((await read(api, 'to=2020-01-01')).tickets).toMatchObject({ total: 0, created_today: 2 });
  });

  it('counts a breach that no worker has noticed yet, among promises and among open tickets', async () => {
    const { api, id: workspace } = await makeWorkspace(server);
    const team = await make(api, '/teams');
    const { id } = await makeTicket(api, { team_id: team.id });
    // Far from the sweep: a job looks at what is due only as often as every few seconds, and may do so in between.
    await sql.rows(
      `UPDATE sla_clocks SET due_at = now() - interval '1 hour', next_check_at = now() - interval '1 hour' WHERE workspace_id = $1 AND ticket_id = $2 AND metric = 'resolution'`,
      [workspace, id],
    );
    await sql.rows(`UPDATE tickets SET next_sla_due_at = now() - interval '1 hour' WHERE id = $1`, [id]);
    for (const query of ['', `team_id=${team.id}`]) {
      const { sla } = await read(api, query);
      expect(sla).toMatchObject({
        breached_open: 1,
        compliance_pct: 0,
        by_metric: { resolution: { met: 0, breached: 1 } },
      });
    }
    expect((await read(api, 'team_id=none')).sla).toMatchObject({ breached_open: 0, compliance_pct: null });
  });

  it('has the figures of days gone by, also where they make no whole month', async () => {
    const workspace = await makeWorkspace(server, { sandbox: true });
    const { api } = workspace;
    const { id, created_at: first } = await makeTicket(api);
    (await api.post(`/tickets/${id}/comments`, { body: 'Answer' })).expect(201);
    const { resolved_at: last } = (await api.patch(`/tickets/${id}`, { status: 'resolved' })).expect(200).data;
    await letPass(workspace, 'P70D');
    const whole = await read(api);
    expect(whole).toMatchObject({ sla: { compliance_pct: 100 }, tickets: { total: 1 } });
    expect(whole.response.resolution_median_minutes).not.toBeNull();
    const day = (moment: unknown, more: number): string =>
      new Date(Date.parse(moment as string) + more * 86_400_000).toISOString().slice(0, 10);
    // Two of these at least are nearer to one beginning of a month than to two of them.
    for (const [before, after] of [...[0, 1, 2].map((days) => [0, days]), [7, 7], [40, 20]] as const) {
      const { tickets, sla, response } = await read(api, `from=${day(first, -before)}&to=${day(last, after)}`);
      expect({ tickets, sla, response }).toEqual({ tickets: whole.tickets, sla: whole.sla, response: whole.response });
    }
    const none = await read(api, `from=${day(last, 2)}&to=${day(last, 3)}`);
    expect([none.response.resolution_median_minutes, none.tickets.total]).toEqual([null, 0]);
  });

  it('is never older than the question, however many ask at one time', async () => {
    const { api } = await makeWorkspace(server);
    let made = 0;
    const client = async (): Promise<void> => {
      for (let n = 0; n < 3; n++) {
        await makeTicket(api);
        const known = ++made;
        const { tickets } = await read(api);
        expect(tickets.total).toBeGreaterThanOrEqual(known);
      }
    };
    await Promise.all(Array.from({ length: 6 }, client));
    expect((await read(api)).tickets.total).toBe(18);
  });

  it('follows tickets whose team or user goes', async () => {
    const { api } = await makeWorkspace(server);
    const team = await make(api, '/teams');
    await makeTicket(api, { team_id: team.id });
    expect((await read(api, `team_id=${team.id}`)).tickets.total).toBe(1);
    (await api.delete(`/teams/${team.id}`)).expect(200);
    expect((await read(api, 'team_id=none')).tickets.total).toBe(1);
  });

  it('knows me, none, and no team or user of others', async () => {
    const [ours, theirs] = [await makeWorkspace(server), await makeWorkspace(server)];
    const user = await makeUser(ours.api);
    const { token } = await server.app.get(Tokens).create({ workspaceId: ours.id, scopes: ['*'], userId: user.id });
    await makeTicket(ours.api, { assigned_to: user.id });
    await makeTicket(ours.api);
    await makeTicket(theirs.api);
    const mine = await read(new Api(server.url, token), 'assigned_to=me');
    expect([mine.tickets.total, mine.tickets.unassigned]).toEqual([1, 0]);
    expect((await read(ours.api, 'assigned_to=none')).tickets).toMatchObject({ total: 1, unassigned: 1 });
    const foreign = { team: (await make(theirs.api, '/teams')).id, user: (await makeUser(theirs.api)).id };
    for (const [query, field] of [
      [`team_id=${foreign.team}`, 'team_id'],
      [`assigned_to=${foreign.user}`, 'assigned_to'],
      ['assigned_to=me', 'assigned_to'],
    ] as const) {
      expect((await ours.api.get(`/stats?${query}`)).expect(422).codes).toEqual({ [field]: 'not_found' });
    }
    expect((await new Api(server.url, null).get('/stats')).status).toBe(401);
    expect((await read(ours.readApi)).tickets.total).toBe(2);
  });
});

describe('the query of the statistics', () => {
  const NOW = Date.parse('2026-10-20T12:00:00.000Z');
  const asked = (query: object) => statsQuery(readQuery(StatsParameters, query), NOW);

  it.each<[object, string, string]>([
    [{ from: '2026-02-30' }, 'from', 'format'],
    [{ to: ['2026-01-01', '2026-01-02'] }, 'to', 'format'],
    [{ from: '2026-10-20', to: '2026-10-19' }, 'from', 'order'],
    [{ team_id: '1,2' }, 'team_id', 'format'],
    [{ team_id: '0' }, 'team_id', 'format'],
    [{ team_id: 'me' }, 'team_id', 'format'],
    [{ assigned_to: '99999999999999999' }, 'assigned_to', 'format'],
  ])('refuses %j', (query, field, code) => {
    const { extras } = thrownBy(() => asked(query), ApiError);
    expect(extras.details).toEqual([expect.objectContaining({ field, code })]);
  });

  it('takes ids and none', () => {
    expect(asked({ team_id: '7', assigned_to: 'none' })).toMatchObject({ team: 7, assignee: 0 });
    expect(asked({ assigned_to: '9' })).toMatchObject({ team: null, assignee: 9 });
  });
});

describe('the window of the statistics', () => {
  const DAY = 86_400_000;
  const NOW = Date.parse('2026-10-20T12:00:00.000Z');
  const moment = fc.integer({ min: NOW - 900 * DAY, max: NOW + 10 * DAY });
  const inside = (at: number, { from, to }: { from: number | null; to: number | null }): boolean =>
    (from === null || at >= from) && (to === null || at < to);

  it('is cut into days, months and edges that hold every moment of it once, and no other', () => {
    fc.assert(
      fc.property(fc.option(moment), fc.option(moment), fc.array(moment, { minLength: 20 }), (from, to, moments) => {
        fc.pre(from === null || to === null || from < to);
        const window: StatsWindow = statsWindow(from, to, NOW);
        const ends = [from, to, from === null ? null : from - 1, to === null ? null : to - 1];
        for (const at of [...moments, ...ends.filter((end) => end !== null)].filter((each) => each <= NOW)) {
          const day = Math.floor(at / DAY) * DAY;
          const date = new Date(day);
          const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
          const wanted = inside(at, { from, to }) ? 1 : 0;
          const edges = window.edges.filter((edge) => inside(at, edge)).length;
          expect(edges + (window.days && inside(day, window.days) ? 1 : 0)).toBe(wanted);
          const loose = window.looseDays.reduce((n, span) => n + (inside(day, span) ? span.sign : 0), 0);
          expect(edges + loose + (window.months && inside(month, window.months) ? 1 : 0)).toBe(wanted);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('goes from a moment to the nearest midnight', () => {
    fc.assert(
      fc.property(moment, (at) => {
        const { midnight, gap } = nearestMidnight(at);
        expect(midnight % DAY).toBe(0);
        expect(at + (gap ? gap.sign * (gap.to - gap.from) : 0)).toBe(midnight);
        expect(Math.abs(midnight - at)).toBeLessThanOrEqual(DAY / 2);
      }),
    );
  });
});

describe('the answer', () => {
  it('has percentages of what there is, and none of nothing', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(1_000_000), (part, rest) => {
        const pct = percent(part, part + rest);
        expect(pct === null).toBe(part + rest === 0);
        if (pct !== null) expect(Math.abs(pct - (100 * part) / (part + rest))).toBeLessThanOrEqual(0.005 + 1e-9);
      }),
    );
  });

  it('adds up scores and promises', () => {
    const figures = { createdToday: 0, resolvedToday: 0, backlogHours: null, resources: {} };
    const counts = { rated_5: 2, rated_4: 1, rated_1: 1, first_response_met: 3, resolution_breached: 1 };
    const answer = statsAnswer({ ...figures, counts, firstResponse: [90_000, 150_000.4], resolution: null });
    expect(answer.csat).toMatchObject({ score_pct: 75, average: 3.75, responses: 4 });
    expect(answer.sla).toMatchObject({ compliance_pct: 75, by_metric: { first_response: { met: 3, pct: 100 } } });
    expect(answer.response).toMatchObject({ first_response_median_minutes: 1.5, first_response_p90_minutes: 2.5 });
    expect(answer.response.resolution_median_minutes).toBeNull();
  });
});
