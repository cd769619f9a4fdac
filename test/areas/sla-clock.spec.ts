import { openState } from '../../src/areas/sla/clock';
import { dueMoments, nextCheckAt, rollup, view } from '../../src/areas/sla/clock-view';
import {
  agent,
  at,
  changes,
  clockOf,
  created,
  minutesTo,
  officeWith,
  type Plain,
  requester,
  START,
  status,
  target,
  tell,
  TERMS,
  time,
} from '../support/sla-story';

describe('the clocks of a new ticket', () => {
  it('are a first response and a resolution, due by the target of the priority', () => {
    const [first, resolution, ...more] = openState(TERMS, created({ priority: 'urgent' })).state.clocks;
    expect(first).toMatchObject({ metric: 'first_response', instance_no: 1, target_seconds: 3_600, due_at: at(60) });
    expect(first).toMatchObject({
      at_risk_at: at(48),
      outcome: 'active',
      started_at: at(0),
      priority_applied: 'urgent',
    });
    expect(resolution).toMatchObject({ metric: 'resolution', due_at: at(240), at_risk_at: at(192) });
    expect(more).toEqual([]);
  });

  it('owe no first response to internal tickets, and have given it to callers', () => {
    expect(openState(TERMS, created({ channel: 'internal' })).state.clocks.map(({ metric }) => metric)).toEqual([
      'resolution',
    ]);
    const [first] = openState(TERMS, created({ channel: 'phone' })).state.clocks;
    expect(first).toMatchObject({ metric: 'first_response', outcome: 'met', fulfilled_at: at(0) });
  });

  it('are met when it is created resolved, and stand still when it is created on hold', () => {
    expect(openState(TERMS, created({ status: 'closed' })).state.clocks.map(({ outcome }) => outcome)).toEqual([
      'met',
      'met',
    ]);
    const [first, resolution] = openState(TERMS, created({ status: 'on_hold' })).state.clocks;
    expect(first).toMatchObject({ outcome: 'active' });
    expect(resolution).toMatchObject({ outcome: 'paused', due_at: null, at_risk_at: null });
  });

  it('do not exist without a policy', () => {
    expect(openState(null, created()).state.clocks).toEqual([]);
    expect(rollup([], START)).toBe('none');
  });

  it('breach nothing that was overdue before the import', () => {
    const opened = openState(TERMS, created({ priority: 'urgent', imported_at: at(200) }));
    expect(clockOf(opened.state, 'first_response').outcome).toBe('cancelled');
    const later = tell(TERMS, created({ priority: 'urgent', imported_at: at(200) }), [200, time], [241, time]);
    expect(changes(later.notes, 'first_response')).toEqual(['started', 'cancelled']);
    // The resolution was still possible: its warning is past, its breach is ours.
    expect(changes(later.notes, 'resolution')).toEqual(['started', 'breached']);
  });
});

describe('the first response', () => {
  it('is the first public comment by an agent, and nothing else', () => {
    const internal: Plain = { type: 'comment', author: 'agent', is_internal: true };
    const bots: Plain[] = (['system', 'automation', 'ai'] as const).map((author) => ({
      type: 'comment',
      author,
      is_internal: false,
    }));
    const { state } = tell(TERMS, created(), [5, internal, ...bots, requester]);
    expect(clockOf(state, 'first_response')).toMatchObject({ outcome: 'active', fulfilled_at: null });
    expect(state.clocks).toHaveLength(2);
    const answered = tell(TERMS, created(), [5, internal, ...bots], [10, agent], [20, agent]);
    expect(clockOf(answered.state, 'first_response')).toMatchObject({ outcome: 'met', fulfilled_at: at(10) });
  });

  it('may come from AI and automations where the policy says so', () => {
    const ai: Plain = { type: 'comment', author: 'ai', is_internal: false };
    const { state } = tell({ ...TERMS, ai_counts_as_response: true }, created(), [5, ai]);
    expect(clockOf(state, 'first_response')).toMatchObject({ outcome: 'met', fulfilled_at: at(5) });
  });

  it('is given by resolving without a word', () => {
    const { state } = tell(TERMS, created(), [5, status('resolved')]);
    expect(state.clocks.map(({ outcome }) => outcome)).toEqual(['met', 'met']);
  });

  it('exactly when it is due is in time, a millisecond later is not', () => {
    const inTime = tell(TERMS, created(), [240, agent]);
    expect(clockOf(inTime.state, 'first_response')).toMatchObject({ outcome: 'met', breached_at: null });
    const late = tell(TERMS, created(), [240 + 1 / 60_000, agent]);
    expect(clockOf(late.state, 'first_response')).toMatchObject({ outcome: 'breached', breached_at: at(240) });
    expect(changes(late.notes, 'first_response')).toEqual(['started', 'at_risk', 'breached', 'fulfilled_late']);
    expect(clockOf(late.state, 'first_response').fulfilled_at).toBe(at(240 + 1 / 60_000));
  });

  it('does not stand still on hold unless the policy says so', () => {
    const held = tell(TERMS, created(), [10, status('on_hold')], [70, status('open')]);
    expect(clockOf(held.state, 'first_response').due_at).toBe(at(240));
    const pausing = { ...TERMS, pause_metrics: ['first_response'] as const };
    const paused = tell(pausing, created(), [10, status('on_hold')], [70, status('open')]);
    expect(clockOf(paused.state, 'first_response').due_at).toBe(at(300));
    expect(clockOf(paused.state, 'resolution').due_at).toBe(at(1_440));
  });
});

describe('the next response', () => {
  it('is awaited from the first of several comments of the requester, after the first response only', () => {
    const early = tell(TERMS, created(), [5, requester]);
    expect(early.state.clocks.some(({ metric }) => metric === 'next_response')).toBe(false);
    const { state } = tell(TERMS, created(), [5, agent], [10, requester], [20, requester], [30, requester]);
    expect(clockOf(state, 'next_response')).toMatchObject({ started_at: at(10), due_at: at(130), outcome: 'active' });
    expect(state.clocks).toHaveLength(3);
    expect(dueMoments(state.clocks)).toMatchObject({ next_response_due_at: at(130), next_due_at: at(130) });
    expect(dueMoments(state.clocks).sla_due_at).toBe(at(1_440));
  });

  it('is given by an answer, and awaited anew after the next question', () => {
    const { state } = tell(TERMS, created(), [5, agent], [10, requester], [20, agent], [30, agent], [40, requester]);
    expect(clockOf(state, 'next_response')).toMatchObject({ outcome: 'met', fulfilled_at: at(20) });
    expect(clockOf(state, 'next_response', 2)).toMatchObject({ outcome: 'active', started_at: at(40) });
  });

  it('stops when the ticket is resolved, and is awaited again when the requester reopens it', () => {
    const { state } = tell(
      TERMS,
      created(),
      [5, agent],
      [10, requester],
      [20, status('resolved')],
      [50, status('open'), requester],
    );
    expect(clockOf(state, 'next_response')).toMatchObject({ outcome: 'met', fulfilled_at: at(20) });
    expect(clockOf(state, 'next_response', 2)).toMatchObject({ outcome: 'active', started_at: at(50) });
  });

  it('is not measured without a target', () => {
    const silent = { ...TERMS, targets: { ...TERMS.targets, medium: target(240, null, 1_440) } };
    expect(tell(silent, created(), [5, agent], [10, requester]).state.clocks).toHaveLength(2);
    // And no longer when the target goes.
    const { state } = tell(TERMS, created(), [5, agent], [10, requester], [15, { type: 'terms', terms: silent }]);
    expect(clockOf(state, 'next_response').outcome).toBe('cancelled');
  });

  it('needs no first response on internal tickets', () => {
    const { state } = tell(TERMS, created({ channel: 'internal' }), [10, requester]);
    expect(clockOf(state, 'next_response')).toMatchObject({ started_at: at(10) });
  });
});

describe('a pause', () => {
  it('moves the due moment by the working time in it', () => {
    const held = tell(TERMS, created(), [10, status('on_hold')]);
    expect(clockOf(held.state, 'resolution')).toMatchObject({ outcome: 'paused', due_at: null });
    expect(nextCheckAt(clockOf(held.state, 'resolution'))).toBeNull();
    expect(rollup(held.state.clocks, START + 60_000)).toBe('paused');
    const { state, notes } = tell(TERMS, created(), [10, status('on_hold')], [70, status('in_progress')]);
    expect(clockOf(state, 'resolution')).toMatchObject({ outcome: 'active', due_at: at(1_500), at_risk_at: at(1_212) });
    expect(clockOf(state, 'resolution').pauses).toEqual([{ from: at(10), to: at(70), kind: 'hold' }]);
    expect(changes(notes, 'resolution')).toEqual(['started', 'paused', 'resumed']);
  });

  it('over a weekend and a holiday counts only the hours that would have been worked', () => {
    // From Friday 16:00 to Tuesday 10:00, Monday a holiday, the clocks set back on Sunday: one hour of Friday and one of Tuesday.
    const terms = { ...TERMS, schedule: officeWith([{ date: '2026-10-26' }]) };
    const friday = minutesTo('2026-10-23T14:00:00Z');
    const tuesday = minutesTo('2026-10-27T09:00:00Z');
    const start = created({ at: '2026-10-23T10:00:00.000Z' });
    const { state } = tell(terms, start, [friday, status('on_hold')], [tuesday, status('open')]);
    const clock = clockOf(state, 'resolution');
    expect(view(clock, terms, START + tuesday * 60_000).pauses).toMatchObject([
      { working_seconds: 7_200, kind: 'hold' },
    ]);
    // 24 h + 2 h from Friday 12:00: 5 + 8 + 8 + 5.
    expect(clock).toMatchObject({ outcome: 'active', due_at: '2026-10-29T13:00:00.000Z' });
  });

  it('entered and left within the same moment changes nothing', () => {
    const { state } = tell(TERMS, created(), [
      10,
      status('on_hold'),
      status('open'),
      status('on_hold'),
      status('open'),
    ]);
    expect(clockOf(state, 'resolution')).toMatchObject({ outcome: 'active', due_at: at(1_440) });
  });

  it('ends with the resolution, which is in time', () => {
    const { state } = tell(TERMS, created(), [10, status('on_hold')], [5_000, status('resolved')]);
    expect(clockOf(state, 'resolution')).toMatchObject({ outcome: 'met', fulfilled_at: at(5_000) });
    expect(clockOf(state, 'resolution').pauses).toEqual([{ from: at(10), to: at(5_000), kind: 'hold' }]);
  });
});
