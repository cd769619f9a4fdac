import fc from 'fast-check';
import { applyFact, openState } from '../../src/areas/sla/clock';
import type { Clock, Fact, Note, SlaState, Terms } from '../../src/areas/sla/clock-types';
import { current, nextCheckAt, rollup, view } from '../../src/areas/sla/clock-view';
import type { Schedule } from '../../src/platform/calendar/schedule';
import { workingTime } from '../../src/platform/calendar/working-time';
import { OFFICE, target, TERMS } from '../support/sla-story';

const NEW_YORK: Schedule = {
  mode: 'business_hours',
  timezone: 'America/New_York',
  weekly: {
    sun: [['00:00', '04:00']],
    mon: [
      ['08:00', '12:00'],
      ['12:30', '24:00'],
    ],
    thu: [['00:00', '24:00']],
  },
};

const terms: fc.Arbitrary<Terms> = fc
  .record({
    schedule: fc.constantFrom<Schedule>({ mode: '24x7' }, OFFICE, NEW_YORK),
    minutes: fc.array(fc.integer({ min: 1, max: 2_000 }), { minLength: 8, maxLength: 8 }),
    next: fc.option(fc.integer({ min: 1, max: 500 })),
    pause_statuses: fc.subarray(['open', 'in_progress', 'on_hold']),
    pause_metrics: fc.subarray(['first_response', 'next_response', 'resolution'] as const),
    at_risk_threshold_pct: fc.integer({ min: 50, max: 99 }),
    ai_counts_as_response: fc.boolean(),
    policy_id: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ minutes, next, ...rest }) => ({
    ...TERMS,
    ...rest,
    targets: Object.fromEntries(
      ['low', 'medium', 'high', 'urgent'].map((name, index) => {
        const [a, b] = [minutes[2 * index] ?? 1, minutes[2 * index + 1] ?? 1];
        return [name, target(Math.min(a, b), next, Math.max(a, b))];
      }),
    ),
  }));

type Happening = Fact extends infer F ? (F extends { at: string } ? Omit<F, 'at'> : never) : never;

const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc
    .constantFrom('open', 'in_progress', 'on_hold', 'resolved', 'closed')
    .map((to) => ({ type: 'status' as const, to })),
  fc.constantFrom('low', 'medium', 'high', 'urgent').map((priority) => ({ type: 'priority' as const, priority })),
  fc.record({
    type: fc.constant('comment' as const),
    author: fc.constantFrom('agent' as const, 'requester' as const, 'ai' as const, 'automation' as const),
    is_internal: fc.boolean(),
  }),
  fc.record({ type: fc.constant('terms' as const), terms: fc.option(terms, { freq: 8 }) }),
  fc.constant({ type: 'cancelled' as const }),
);

/** Facts at whole seconds after the creation, in order; every due moment lies on a whole second, too. */
const story = fc.record({
  terms,
  priority: fc.constantFrom('low', 'medium', 'high', 'urgent'),
  channel: fc.constantFrom('portal', 'phone', 'internal'),
  start: fc
    .integer({ min: 0, max: 40 * 86_400 })
    .map((seconds) => Date.parse('2026-10-01T00:00:00Z') + seconds * 1_000),
  steps: fc.array(fc.tuple(fc.integer({ min: 0, max: 40_000 }), happening), { maxLength: 12 }),
});

type Story = typeof story extends fc.Arbitrary<infer S> ? S : never;

const iso = (moment: number): string => new Date(moment).toISOString();

function facts({ start, steps }: Story): Fact[] {
  let now = start;
  return steps.map(([seconds, what]) => ({ at: iso((now += seconds * 1_000)), ...what }));
}

function fold(
  { terms: first, priority, channel, start }: Story,
  told: readonly Fact[],
): { state: SlaState; notes: Note[] } {
  const opened = openState(first, { at: iso(start), status: 'open', priority, channel });
  const notes = [...opened.notes];
  let { state } = opened;
  for (const fact of told) {
    const applied = applyFact(state, fact);
    state = applied.state;
    notes.push(...applied.notes);
  }
  return { state, notes };
}

const last = (told: readonly Fact[], { start }: Story): number => Date.parse(told.at(-1)?.at ?? iso(start));

/** Notes by clock, in their order: a late worker tells of several clocks in another order. */
const byClock = (notes: readonly Note[]): Note[] =>
  [...notes].sort((a, b) => a.metric.localeCompare(b.metric) || a.instance_no - b.instance_no);

describe('the clocks of any ticket', () => {
  it('end the same, with the same history, however often time is looked at between', () => {
    fc.assert(
      fc.property(story, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 }), (any, looks) => {
        const told = facts(any);
        const end = last(told, any) + 500;
        // Half a second beside every fact: at the very due moment looking is what makes a clock late.
        const times = looks.map((part): Fact => {
          const second = Math.floor((any.start + part * (end - any.start)) / 1_000) * 1_000;
          return { at: iso(Math.min(end, second + 500)), type: 'time' };
        });
        const together = [...told, ...times].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
        const stop: Fact = { at: iso(end), type: 'time' };
        const late = fold(any, [...told, stop]);
        const watched = fold(any, [...together, stop]);
        expect(watched.state).toEqual(late.state);
        expect(byClock(watched.notes)).toEqual(byClock(late.notes));
      }),
      { numRuns: 400 },
    );
  });

  it('are due after their target and the working time of their pauses, and at risk before', () => {
    fc.assert(
      fc.property(story, (any) => {
        const { state } = fold(any, facts(any));
        for (const clock of state.clocks) {
          if (clock.due_at === null || state.terms === null) continue;
          expect(Date.parse(clock.at_risk_at ?? '')).toBeLessThanOrEqual(Date.parse(clock.due_at));
          if (clock.outcome !== 'active') continue;
          const time = workingTime(state.terms.schedule);
          const paused = clock.pauses.reduce(
            (sum, { from, to }) => sum + time.between(Date.parse(from), Date.parse(to ?? '')),
            0,
          );
          expect(Date.parse(clock.due_at)).toBe(time.add(Date.parse(clock.started_at), clock.target_seconds + paused));
        }
      }),
      { numRuns: 400 },
    );
  });

  it('stand still at no time twice, also by changes that are dated before those they waited for', () => {
    const delays = fc.array(fc.integer({ min: 0, max: 60_000 }), { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(story, delays, (any, delay) => {
        const told = facts(any).map((fact, index): Fact => {
          const began = Date.parse(fact.at) - (delay[index] ?? 0);
          return { ...fact, at: iso(Math.max(any.start, began)) };
        });
        for (const { pauses } of fold(any, told).state.clocks) {
          const ends = pauses.map(({ to }) => (to === null ? Infinity : Date.parse(to)));
          for (const [index, { from }] of pauses.entries()) {
            expect(Date.parse(from)).toBeGreaterThanOrEqual(ends[index - 1] ?? 0);
            expect(ends[index]).toBeGreaterThanOrEqual(Date.parse(from));
          }
        }
      }),
      { numRuns: 400 },
    );
  });

  it('stand still for no time by a reopening that is dated before the resolution it waited for', () => {
    const start = Date.parse('2026-10-01T00:00:00Z');
    const opened: Story = { terms: TERMS, priority: 'low', channel: 'portal', start, steps: [] };
    const resolved = iso(start + 2_000);
    const told: Fact[] = [
      { type: 'status', to: 'resolved', at: resolved },
      { type: 'status', to: 'open', at: iso(start + 1_000) },
    ];
    const clock = fold(opened, told).state.clocks.find(({ metric }) => metric === 'resolution');
    const none = { from: resolved, to: resolved, kind: 'resolved' };
    expect(clock?.pauses).toEqual([none]);
    // What it is reopened to may stand still, too.
    const terms = { ...TERMS, pause_statuses: ['on_hold'], pause_metrics: ['resolution' as const] };
    const held = told.map((fact): Fact =>
      fact.type === 'status' && fact.to === 'open' ? { ...fact, to: 'on_hold' } : fact,
    );
    const paused = fold({ ...opened, terms }, held).state.clocks.find(({ metric }) => metric === 'resolution');
    expect(paused?.pauses).toEqual([none, { from: resolved, to: null, kind: 'hold' }]);
  });

  it('are broken promises exactly when the answer came after the due moment, or is due and has not come', () => {
    fc.assert(
      fc.property(story, (any) => {
        const told = facts(any);
        const now = last(told, any) + 500;
        const { state } = fold(any, [...told, { at: iso(now), type: 'time' }]);
        for (const clock of state.clocks) {
          if (clock.outcome === 'cancelled') continue;
          expect(clock.outcome === 'breached').toBe(isLate(clock, now));
          expect(clock.breached_at !== null).toBe(clock.outcome === 'breached');
          expect(current(clock, now)).toBe(clock);
          expect(nextCheckAt(clock) !== null).toBe(clock.outcome === 'active');
        }
      }),
      { numRuns: 400 },
    );
  });

  it('warn at most once for a due moment, and break at most once', () => {
    fc.assert(
      fc.property(story, (any) => {
        const told = facts(any);
        const { notes, state } = fold(any, [...told, { at: iso(last(told, any) + 1e10), type: 'time' }]);
        for (const clock of state.clocks) {
          const own = notes.filter((n) => n.metric === clock.metric && n.instance_no === clock.instance_no);
          expect(own.filter(({ change }) => change === 'breached').length).toBeLessThanOrEqual(1);
          const warnings = own.filter(({ change }) => change === 'at_risk').length;
          const edits = own.filter(({ change }) => change === 'recomputed' || change === 'reopened').length;
          expect(warnings).toBeLessThanOrEqual(1 + edits);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('show figures that add up', () => {
    fc.assert(
      fc.property(story, (any) => {
        const told = facts(any);
        const now = last(told, any) + 5_000;
        const { state } = fold(any, told);
        for (const clock of state.terms ? state.clocks : []) {
          const seen = view(clock, state.terms!, now);
          expect(seen.overdue_seconds).toBeGreaterThanOrEqual(0);
          if (seen.outcome === 'cancelled') continue;
          expect(seen.elapsed_working_seconds).toBeGreaterThanOrEqual(0);
          if (seen.outcome !== 'active') continue;
          expect((seen.elapsed_working_seconds ?? 0) + (seen.remaining_working_seconds ?? 0)).toBe(
            clock.target_seconds,
          );
        }
        const status = rollup(state.clocks, now);
        const outcomes = state.clocks.map((clock) => current(clock, now).outcome);
        expect(status === 'breached').toBe(outcomes.includes('breached'));
        expect(status === 'none').toBe(outcomes.every((outcome) => outcome === 'cancelled'));
      }),
      { numRuns: 300 },
    );
  });
});

/** Edits may set a due moment before the moment from which they count; then it is the edit that breaks the promise. */
function isLate({ due_at, fulfilled_at, breached_at }: Clock, now: number): boolean {
  if (due_at === null) return false;
  const end = fulfilled_at === null ? now : Date.parse(fulfilled_at);
  const broken = breached_at === null ? Date.parse(due_at) : Math.max(Date.parse(due_at), Date.parse(breached_at));
  return end > broken || (breached_at !== null && end === broken);
}
