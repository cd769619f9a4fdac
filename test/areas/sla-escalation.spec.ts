import { Global, Module } from '@nestjs/common';
import { Pool } from 'pg';
import { type ActionCause, TicketActions } from '../../src/areas/sla/ticket-actions';
import type { Action } from '../../src/platform/area/rules';
import type { Api, Fields } from '../support/api';
import { startApp, type TestApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { type ScratchDatabase, scratchDatabase } from '../support/scratch-database';
import { until } from '../support/until';
import { runJob } from '../support/jobs';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

interface Run {
  ticketId: number;
  actions: readonly Action[];
  cause: ActionCause;
}

/** Actions that only remember that they were run. */
class RememberedActions extends TicketActions {
  readonly runs: Run[] = [];

  check(_path: string, actions: readonly unknown[]): Promise<Action[]> {
    return Promise.resolve(actions as Action[]);
  }

  keepSealed(): void {
    // Nothing is kept.
  }

  run(ticketId: number, actions: readonly Action[], cause: ActionCause): Promise<void> {
    this.runs.push({ ticketId, actions, cause });
    return Promise.resolve();
  }
}

const remembered = new RememberedActions();

@Global()
@Module({ providers: [{ provide: TicketActions, useValue: remembered }], exports: [TicketActions] })
class RememberedActionsModule {}

let scratch: ScratchDatabase;
let server: TestApp;
let pool: Pool;
let workspace: TestWorkspace;
let api: Api;

// A database of its own: the steps must be taken by this application, which has the actions above.
beforeAll(async () => {
  scratch = await scratchDatabase({ migrated: true });
  server = await startApp({ databaseUrl: scratch.serviceUrl }, { modules: [RememberedActionsModule] });
  pool = new Pool({ connectionString: scratch.url, max: 2 });
});
afterAll(async () => {
  await pool.end();
  await server.close();
  await scratch.drop();
});
beforeEach(async () => {
  workspace = await makeWorkspace(server);
  ({ api } = workspace);
});

/** After the sweep of the application's own timer, which leaves out nothing that it holds. */
const sweep = (): Promise<void> => runJob(server, 'sla-sweep');

describe('steps of escalation', () => {
  const escalation = [
    { metric: 'resolution', at: 'breach', offset_minutes: -30, actions: [{ type: 'escalate', note: 'before' }] },
    { metric: 'resolution', at: 'breach', actions: [{ type: 'escalate', note: 'at' }] },
    { metric: 'resolution', at: 'breach', offset_minutes: 60, actions: [{ type: 'escalate', note: 'after' }] },
    { metric: 'first_response', at: 'at_risk', actions: [{ type: 'escalate', note: 'first' }] },
  ];
  const stepsOf = async (id: number): Promise<{ step: number; fire_at: Date | null }[]> =>
    (
      await pool.query<{ step: number; fire_at: Date | null }>(
        `SELECT step, fire_at FROM sla_escalations WHERE ticket_id = $1 ORDER BY metric DESC, fire_at`,
        [id],
      )
    ).rows;
  const notesOf = (id: number): unknown[] =>
    remembered.runs.filter(({ ticketId }) => ticketId === id).map(({ actions }) => actions[0]?.note);
  const shift = (id: number, minutes: number): Promise<unknown> =>
    pool.query(`UPDATE sla_escalations SET fire_at = fire_at - make_interval(mins => $2) WHERE ticket_id = $1`, [
      id,
      minutes,
    ]);

  async function escalated(): Promise<Fields> {
    const [policy] = (await api.get('/sla')).rows;
    (await api.patch(`/sla/${policy?.id}`, { escalation })).expect(200);
    return makeTicket(api, { priority: 'urgent' });
  }

  it('are known at once, taken at their moments, once each', async () => {
    const ticket = await escalated();
    const { id } = ticket;
    const due = Date.parse(ticket.sla_due_at as string);
    const moments = (await stepsOf(id)).map(({ fire_at }) => ((fire_at?.getTime() ?? 0) - due) / 60_000);
    expect(moments.slice(0, 3)).toEqual([-30, 0, 60]);
    await shift(id, 211);
    await sweep();
    await until('two steps are taken', () => notesOf(id).length >= 2);
    await sweep();
    expect(notesOf(id).toSorted()).toEqual(['before', 'first']);
    const [run] = remembered.runs.filter(({ ticketId }) => ticketId === id);
    expect(run?.cause).toMatchObject({ source: { type: 'sla_policy', name: 'Standard' } });
    await shift(id, 100);
    await sweep();
    await until('all steps are taken', () => notesOf(id).length >= 4);
    await sweep();
    expect(notesOf(id).toSorted()).toEqual(['after', 'at', 'before', 'first']);
  });

  it('move with the due moment, stop while it stands still, and come to nothing once the promise is kept', async () => {
    const { id } = await escalated();
    const moments = async (): Promise<(number | null)[]> =>
      (await stepsOf(id)).slice(0, 3).map(({ fire_at }) => fire_at?.getTime() ?? null);
    const before = await moments();
    (await api.patch(`/tickets/${id}`, { priority: 'high' })).expect(200);
    expect((await moments()).map((moment, index) => ((moment ?? 0) - (before[index] ?? 0)) / 60_000)).toEqual([
      240, 240, 240,
    ]);
    (await api.patch(`/tickets/${id}`, { status: 'on_hold' })).expect(200);
    expect(await moments()).toEqual([null, null, null]);
    (await api.patch(`/tickets/${id}`, { status: 'open' })).expect(200);
    expect((await moments()).every((moment) => moment !== null)).toBe(true);
    (await api.patch(`/tickets/${id}`, { status: 'resolved' })).expect(200);
    expect(await moments()).toEqual([null, null, null]);
    await sweep();
    expect(notesOf(id)).toEqual([]);
  });
});
