import fc from 'fast-check';
import { type SlaTargets, dueDates } from '../../src/areas/sla/sla-targets';
import { type ClockFacts, clockValues } from '../../src/areas/tickets/ticket-sla';
import { isDone } from '../../src/areas/tickets/ticket-status';
import type { TicketStatus } from '../../src/areas/tickets/ticket-values';

const targets: SlaTargets = {
  urgent: { first_response_minutes: 60, resolution_minutes: 240 },
  high: { first_response_minutes: 240, resolution_minutes: 480 },
  medium: { first_response_minutes: 480, resolution_minutes: 1440 },
  low: { first_response_minutes: 1440, resolution_minutes: 4320 },
};
const policy = { id: 5, targets };
const start = Date.UTC(2026, 9, 20, 8);
const at = (minutes: number): string => new Date(start + minutes * 60_000).toISOString();

function fresh(overrides: Partial<ClockFacts> = {}): ClockFacts {
  return {
    status: 'open',
    priority: 'medium',
    created_at: at(0),
    resolved_at: null,
    first_response_at: null,
    sla_paused_at: null,
    sla_paused_seconds: 0,
    ...overrides,
  };
}

/** Follows a ticket through changes of status and priority, as its service would. */
function follow(steps: readonly { minute: number; status?: TicketStatus; priority?: string }[]): {
  facts: ClockFacts;
  values: Record<string, unknown>;
} {
  let facts = fresh();
  let values = clockValues(null, facts, policy, at(0));
  facts = { ...facts, ...(values as Partial<ClockFacts>) };
  for (const { minute, status = facts.status, priority = facts.priority } of steps) {
    const wasDone = isDone(facts.status);
    const resolved_at = isDone(status) ? (wasDone ? facts.resolved_at : at(minute)) : null;
    const after = { ...facts, status, priority, resolved_at };
    values = clockValues(facts, after, policy, at(minute));
    facts = { ...after, ...(values as Partial<ClockFacts>) };
  }
  return { facts, values };
}

describe('due moments', () => {
  it.each([
    ['urgent', 60, 240],
    ['high', 240, 480],
    ['medium', 480, 1440],
    ['low', 1440, 4320],
  ])('of %s: response after %i minutes, resolution after %i', (priority, response, resolution) => {
    expect(dueDates(targets, priority, at(0), 0, false)).toEqual({
      first_response_due_at: at(response),
      sla_due_at: at(resolution),
    });
  });

  it('are absent without a policy', () => {
    expect(clockValues(null, fresh(), null, at(0))).toEqual({
      sla_policy_id: null,
      sla_status: 'none',
      sla_due_at: null,
      first_response_due_at: null,
    });
  });
});

describe('the clock', () => {
  it('stands still on hold: no due moment for the resolution, the one for the response stays', () => {
    const { values } = follow([{ minute: 10, status: 'on_hold' }]);
    expect(values).toMatchObject({ sla_status: 'paused', sla_due_at: null, first_response_due_at: at(480) });
    expect(values.sla_paused_at).toBe(at(10));
  });

  it('resumes later by the time on hold', () => {
    const { values } = follow([
      { minute: 10, status: 'on_hold' },
      { minute: 70, status: 'open' },
    ]);
    expect(values).toMatchObject({ sla_status: 'on_track', sla_due_at: at(1440 + 60), first_response_due_at: at(480) });
    expect(values.sla_paused_at).toBeNull();
  });

  it('keeps earlier pauses when the priority changes, while paused too', () => {
    const { values } = follow([
      { minute: 10, status: 'on_hold' },
      { minute: 40, priority: 'urgent' },
      { minute: 70, status: 'in_progress' },
    ]);
    expect(values).toMatchObject({ sla_due_at: at(240 + 60), first_response_due_at: at(60) });
  });

  it('is breached at once when a raised priority puts the due moment into the past', () => {
    expect(follow([{ minute: 300, priority: 'urgent' }]).values).toMatchObject({
      sla_status: 'breached',
      sla_due_at: at(240),
    });
  });

  it('is met by resolving at the due moment and breached a moment later', () => {
    expect(follow([{ minute: 1440, status: 'resolved' }]).values.sla_status).toBe('met');
    expect(follow([{ minute: 1440.01, status: 'resolved' }]).values.sla_status).toBe('breached');
  });

  it('does not run while the ticket is resolved', () => {
    const { values } = follow([
      { minute: 100, status: 'resolved' },
      { minute: 150, status: 'closed' },
      { minute: 400, status: 'open' },
    ]);
    expect(values).toMatchObject({ sla_due_at: at(1440 + 300), sla_status: 'on_track' });
  });

  it('is due after the target plus all time on hold and resolved, whatever happens in between', () => {
    const status = fc.constantFrom<TicketStatus>('open', 'in_progress', 'on_hold', 'resolved');
    const priority = fc.constantFrom('low', 'medium', 'high', 'urgent');
    const step = fc.record({ gap: fc.integer({ min: 0, max: 500 }), status, priority });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (changes) => {
        let minute = 0;
        let stopped = 0;
        let solved = 0;
        let before: TicketStatus = 'open';
        const steps = changes.map(({ gap, status: wanted, priority: next }) => {
          // resolved -> on_hold is not a transition
          const to: TicketStatus = before === 'resolved' && wanted === 'on_hold' ? 'open' : wanted;
          if (before === 'on_hold') stopped += gap;
          // Time spent resolved counts once the ticket comes back.
          if (before === 'resolved') solved += gap;
          if (to !== 'resolved') {
            stopped += solved;
            solved = 0;
          }
          minute += gap;
          before = to;
          return { minute, status: to, priority: next };
        });
        const { facts, values } = follow(steps);
        const resolution = targets[facts.priority as keyof SlaTargets].resolution_minutes;
        expect(values.sla_due_at).toBe(facts.status === 'on_hold' ? null : at(resolution + stopped));
      }),
    );
  });
});
