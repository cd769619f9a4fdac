import { applyFact } from '../../src/areas/sla/clock';
import { nextCheckAt, rollup, view } from '../../src/areas/sla/clock-view';
import {
  agent,
  at,
  changes,
  clockOf,
  created,
  OFFICE,
  START,
  status,
  type Step,
  tell,
  TERMS,
  time,
} from '../support/sla-story';

describe('another priority or policy', () => {
  it('sets another target from the original start', () => {
    const raised = tell(TERMS, created(), [100, { type: 'priority', priority: 'urgent' }]);
    expect(clockOf(raised.state, 'resolution')).toMatchObject({ due_at: at(240), priority_applied: 'urgent' });
    const note = raised.notes.find(({ change, metric }) => change === 'recomputed' && metric === 'resolution');
    expect(note).toMatchObject({ cause: 'priority', at: at(100) });
    // The first response was due 40 minutes ago: late by the edit, at the time of the edit.
    expect(clockOf(raised.state, 'first_response')).toMatchObject({
      outcome: 'breached',
      breached_at: at(100),
      due_at: at(60),
    });
    const lowered = tell(TERMS, created({ priority: 'high' }), [100, { type: 'priority', priority: 'low' }]);
    expect(clockOf(lowered.state, 'resolution').due_at).toBe(at(4_320));
  });

  it('does not touch what is decided', () => {
    const before = tell(TERMS, created({ priority: 'urgent' }), [61, time]);
    const after = tell(TERMS, created({ priority: 'urgent' }), [61, time], [62, { type: 'priority', priority: 'low' }]);
    expect(clockOf(after.state, 'first_response')).toEqual(clockOf(before.state, 'first_response'));
    const again = tell(
      TERMS,
      created({ priority: 'urgent' }),
      [61, time],
      [62, { type: 'priority', priority: 'low' }],
      [63, { type: 'priority', priority: 'urgent' }],
      [64, time],
    );
    expect(changes(again.notes, 'first_response').filter((change) => change === 'breached')).toHaveLength(1);
  });

  it('while paused shows when it goes on', () => {
    const down = tell(
      TERMS,
      created(),
      [60, status('on_hold')],
      [120, { type: 'priority', priority: 'low' }],
      [180, status('open')],
    );
    expect(clockOf(down.state, 'resolution')).toMatchObject({ outcome: 'active', due_at: at(4_440) });
    const up = tell(
      TERMS,
      created(),
      [300, status('on_hold')],
      [320, { type: 'priority', priority: 'urgent' }],
      [400, status('open')],
    );
    // 300 of 240 minutes were used up when it went on.
    expect(clockOf(up.state, 'resolution')).toMatchObject({ outcome: 'breached', breached_at: at(400) });
  });

  it('reckons old pauses by the hours of the new schedule', () => {
    // Paused from 12:00 to 20:00 in Berlin: eight hours around the clock, five of the office.
    const steps: Step[] = [
      [120, status('on_hold')],
      [600, status('open')],
    ];
    const before = tell(TERMS, created(), ...steps);
    expect(clockOf(before.state, 'resolution').due_at).toBe(at(1_440 + 480));
    const { state, notes } = tell(TERMS, created(), ...steps, [
      610,
      { type: 'terms', terms: { ...TERMS, policy_id: 2, schedule: OFFICE } },
    ]);
    // 24 h + 5 h from Monday 10:00, eight hours a day: 7 + 8 + 8 + 6.
    expect(clockOf(state, 'resolution').due_at).toBe('2026-10-22T13:00:00.000Z');
    expect(notes.at(-1)).toMatchObject({ change: 'recomputed', cause: 'policy', old_due_at: at(1_920) });
  });

  it('may end or begin a pause', () => {
    const never = { ...TERMS, pause_statuses: [] };
    const resumed = tell(TERMS, created(), [10, status('on_hold')], [20, { type: 'terms', terms: never }]);
    expect(clockOf(resumed.state, 'resolution')).toMatchObject({ outcome: 'active', due_at: at(1_450) });
    const paused = tell(never, created(), [10, status('on_hold')], [20, { type: 'terms', terms: TERMS }]);
    expect(clockOf(paused.state, 'resolution').pauses).toEqual([{ from: at(20), to: null, kind: 'hold' }]);
  });

  it('that is the first one counts from the creation, and none ends the clocks', () => {
    const { state } = tell(null, created(), [100, { type: 'terms', terms: TERMS }]);
    expect(clockOf(state, 'resolution')).toMatchObject({ started_at: at(0), due_at: at(1_440) });
    const gone = applyFact(state, { at: at(110), type: 'terms', terms: null }).state;
    expect(gone.clocks.map(({ outcome }) => outcome)).toEqual(['cancelled', 'cancelled']);
    expect(tell(null, created({ status: 'closed' }), [1, { type: 'terms', terms: TERMS }]).state.clocks).toEqual([]);
  });
});

describe('resolving and reopening', () => {
  it('goes on with the same clock, the time as resolved left out and told apart from pauses', () => {
    const { state, notes } = tell(
      TERMS,
      created(),
      [10, status('on_hold')],
      [20, status('resolved')],
      [100, status('open')],
    );
    const clock = clockOf(state, 'resolution');
    expect(clock).toMatchObject({ instance_no: 1, outcome: 'active', fulfilled_at: null, due_at: at(1_440 + 90) });
    expect(clock.pauses.map(({ kind }) => kind)).toEqual(['hold', 'resolved']);
    expect(changes(notes, 'resolution')).toEqual(['started', 'paused', 'met', 'reopened']);
    // What was said about the first response stays said.
    expect(clockOf(state, 'first_response')).toMatchObject({ outcome: 'met', fulfilled_at: at(20) });
    const again = tell(TERMS, created(), [20, status('resolved')], [100, status('open')], [110, status('closed')]);
    expect(clockOf(again.state, 'resolution')).toMatchObject({ outcome: 'met', fulfilled_at: at(110) });
  });

  it('applies the priority that was set meanwhile', () => {
    const { state } = tell(
      TERMS,
      created(),
      [20, status('resolved')],
      [30, { type: 'priority', priority: 'urgent' }],
      [100, status('open')],
    );
    expect(clockOf(state, 'resolution')).toMatchObject({ due_at: at(320), priority_applied: 'urgent' });
  });

  it('stays late when it was late, and counts on', () => {
    const { state, notes } = tell(TERMS, created(), [1_450, status('resolved')], [1_500, status('open')]);
    const clock = clockOf(state, 'resolution');
    expect(clock).toMatchObject({ outcome: 'breached', breached_at: at(1_440), fulfilled_at: null, due_at: at(1_440) });
    expect(view(clock, TERMS, START + 1_510 * 60_000).overdue_seconds).toBe(20 * 60);
    expect(changes(notes, 'resolution').filter((change) => change === 'breached')).toHaveLength(1);
    expect(rollup(state.clocks, START + 1_510 * 60_000)).toBe('breached');
  });
});

describe('merged and deleted tickets', () => {
  it('have cancelled clocks, which count for nothing', () => {
    const { state, notes } = tell(TERMS, created(), [10, agent], [20, { type: 'cancelled' }], [30, status('closed')]);
    expect(state.clocks.map(({ outcome }) => outcome)).toEqual(['cancelled', 'cancelled']);
    expect(changes(notes, 'resolution')).toEqual(['started', 'cancelled']);
    expect(rollup(state.clocks, START)).toBe('none');
    expect(tell(TERMS, created(), [20, { type: 'cancelled' }], [9_000, time]).state.clocks).toHaveLength(2);
  });

  it('are promised anew what they are owed when they are opened again', () => {
    const merged: Step[] = [
      [20, { type: 'cancelled' }, status('closed')],
      [500, status('open')],
    ];
    const owed = tell(TERMS, created(), ...merged).state;
    expect(clockOf(owed, 'first_response', 2)).toMatchObject({ started_at: at(500), outcome: 'active' });
    expect(clockOf(owed, 'resolution', 2)).toMatchObject({ due_at: at(500 + 1_440), outcome: 'active' });
    const answered = tell(TERMS, created(), [10, agent], ...merged).state;
    expect(answered.clocks.map(({ metric, outcome }) => [metric, outcome])).toEqual([
      ['first_response', 'cancelled'],
      ['resolution', 'cancelled'],
      ['resolution', 'active'],
    ]);
  });
});

describe('what time does', () => {
  it('is noted once each, in order, with its own moment however late', () => {
    const { notes, state } = tell(TERMS, created(), [9_999, time], [10_000, time]);
    const told = notes
      .filter(({ cause }) => cause === 'time')
      .map(({ metric, change, at: when }) => [metric, change, when]);
    expect(told).toEqual([
      ['first_response', 'at_risk', at(192)],
      ['first_response', 'breached', at(240)],
      ['resolution', 'at_risk', at(1_152)],
      ['resolution', 'breached', at(1_440)],
    ]);
    expect(clockOf(state, 'resolution')).toMatchObject({ breached_at: at(1_440), outcome: 'breached' });
  });

  it('happens at the due moment', () => {
    expect(tell(TERMS, created(), [239.99, time]).notes.map(({ change }) => change)).not.toContain('breached');
    expect(tell(TERMS, created(), [240, time]).notes.map(({ change }) => change)).toContain('breached');
  });

  it('is looked for when it can happen next', () => {
    const fresh = tell(TERMS, created()).state;
    expect(nextCheckAt(clockOf(fresh, 'first_response'))).toBe(at(192));
    const warned = tell(TERMS, created(), [192, time]).state;
    expect(nextCheckAt(clockOf(warned, 'first_response'))).toBe(at(240));
    const late = tell(TERMS, created(), [240, time]).state;
    expect(nextCheckAt(clockOf(late, 'first_response'))).toBeNull();
  });

  it('shows in the ticket before any worker notices', () => {
    const { clocks } = tell(TERMS, created()).state;
    const after = (minutes: number): string => rollup(clocks, START + minutes * 60_000);
    expect([after(0), after(191), after(192), after(239), after(240)]).toEqual([
      'on_track',
      'on_track',
      'at_risk',
      'at_risk',
      'breached',
    ]);
    expect(rollup(tell(TERMS, created(), [5, status('resolved')]).state.clocks, START)).toBe('met');
    const seen = view(clocks[0]!, TERMS, START + 250 * 60_000);
    expect(seen).toMatchObject({ outcome: 'breached', breached_at: at(240), overdue_seconds: 600 });
    expect(seen).toMatchObject({ elapsed_working_seconds: 15_000, remaining_working_seconds: 0, target_minutes: 240 });
  });

  it('warns again when an edit gave more time', () => {
    const { notes } = tell(TERMS, created(), [192, time], [193, { type: 'priority', priority: 'low' }], [384, time]);
    expect(changes(notes, 'first_response').filter((change) => change === 'at_risk')).toHaveLength(2);
  });
});
