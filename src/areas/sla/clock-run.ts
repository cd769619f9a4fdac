import { figuresOf } from './clock-figures';
import { ended, held, holdsSince, reopened, turningPoint } from './clock-holds';
import { owedAnew } from './clock-owed';
import { isUnanswered, isUndecided, ms, targetSeconds, timed } from './clock-time';
import type { Applied, Cause, Change, Clock, Metric, Note, Pause, SlaState, Terms } from './clock-types';

/** Statuses in which a ticket waits for nothing. */
export const DONE: ReadonlySet<string> = new Set(['resolved', 'closed']);

/** One fact at work on a state. */
export class ClockRun {
  private state: SlaState;
  private readonly notes: Note[] = [];
  /** From when on clocks stand still, or run again. */
  private readonly turn: string;

  constructor(
    state: SlaState,
    private readonly at: string,
  ) {
    this.state = state;
    this.turn = turningPoint(state.clocks, at);
  }

  applied(): Applied {
    return { state: this.state, notes: this.notes };
  }

  /** Notes what time did to running clocks; `inclusive`: a clock that is due at this very moment is late. */
  elapse(inclusive: boolean): void {
    const now = ms(this.at);
    this.each((clock) => {
      if (clock.outcome !== 'active') return clock;
      let after = clock;
      if (!clock.at_risk_notified && clock.at_risk_at !== null && ms(clock.at_risk_at) <= now) {
        after = { ...after, at_risk_notified: true };
        this.note(clock, after, 'at_risk', 'time', clock.at_risk_at);
      }
      if (clock.due_at !== null && (ms(clock.due_at) < now || (inclusive && ms(clock.due_at) === now))) {
        after = { ...after, outcome: 'breached', breached_at: clock.due_at };
        this.note(clock, after, 'breached', 'time', clock.due_at);
      }
      return after;
    });
  }

  /** Starts the clocks that run from the ticket's creation; none for a ticket that is done when a policy first applies. */
  openFirst(cause: Cause): void {
    const { created_at, channel, first_response_at, status } = this.state;
    if (cause !== 'created' && DONE.has(status)) return;
    if (channel !== 'internal' && first_response_at === null) this.open('first_response', created_at, cause);
    this.open('resolution', created_at, cause);
  }

  enter(status: string): void {
    const before = this.state.status;
    if (status === before) return;
    this.state = { ...this.state, status };
    if (DONE.has(status)) {
      if (!DONE.has(before)) this.fulfil(['first_response', 'next_response', 'resolution'], 'status');
      this.state = { ...this.state, unanswered_since: null };
      return;
    }
    if (DONE.has(before)) this.reopen();
    this.pauseOrResume('status');
  }

  prioritise(priority: string): void {
    if (priority === this.state.priority) return;
    this.state = { ...this.state, priority };
    this.recompute('priority');
  }

  /** Other terms, or the same ones edited. What is decided stays as it is. */
  adopt(terms: Terms | null): void {
    const had = this.state.terms !== null;
    this.state = { ...this.state, terms };
    if (terms === null) {
      this.each((clock) => (isUndecided(clock) ? this.cancelled(clock, 'policy') : clock));
      return;
    }
    if (!had) this.openFirst('policy');
    this.pauseOrResume('policy');
    this.recompute('policy');
  }

  /** A public comment by the requester: starts the wait for the next response, unless one is waited for already. */
  asked(): void {
    const { clocks, channel, first_response_at, status } = this.state;
    const first = clocks.find((clock) => clock.metric === 'first_response' && clock.outcome !== 'cancelled');
    const responded = first ? first.fulfilled_at !== null : channel === 'internal' || first_response_at !== null;
    const waiting = clocks.some((clock) => clock.metric === 'next_response' && isUnanswered(clock));
    if (!responded || DONE.has(status)) return;
    this.state = { ...this.state, unanswered_since: this.state.unanswered_since ?? this.at };
    if (!waiting) this.open('next_response', this.at, 'comment');
  }

  /** A public comment that counts as an answer. */
  answered(): void {
    this.fulfil(['first_response', 'next_response'], 'comment');
    this.state = { ...this.state, unanswered_since: null };
  }

  fulfil(metrics: readonly Metric[], cause: Cause): void {
    const { terms } = this.state;
    this.each((clock) => {
      if (!metrics.includes(clock.metric) || !isUnanswered(clock)) return clock;
      const closed = this.endHold(clock, cause);
      const late = closed.outcome === 'breached';
      const done: Clock = { ...closed, fulfilled_at: this.at, outcome: late ? 'breached' : 'met' };
      const after: Clock = { ...done, figures: terms && figuresOf(done, terms, ms(this.at)) };
      this.note(clock, after, late ? 'fulfilled_late' : 'met', cause);
      return after;
    });
  }

  cancel(): void {
    this.state = { ...this.state, unanswered_since: null };
    this.each((clock) => (clock.outcome === 'cancelled' ? clock : this.cancelled(clock, 'cancelled')));
  }

  /** Gives up clocks that were due before the ticket was ours. */
  forgive(importedAt: string): void {
    this.each((clock) => {
      const late = clock.outcome === 'active' && clock.due_at !== null && ms(clock.due_at) <= ms(importedAt);
      if (late) return this.cancelled(clock, 'created');
      const warned = clock.at_risk_at !== null && ms(clock.at_risk_at) <= ms(importedAt);
      return warned ? { ...clock, at_risk_notified: true } : clock;
    });
  }

  /** The last resolution counts on; the time as resolved does not count. Late stays late: only the overdue time goes on. */
  private reopen(): void {
    const last = this.last('resolution');
    this.each((clock) => {
      const { fulfilled_at } = clock;
      if (clock !== last || fulfilled_at === null || clock.outcome === 'cancelled') return clock;
      if (this.state.terms === null) return clock;
      const pauses = reopened(clock.pauses, fulfilled_at, this.turn);
      const late = clock.outcome === 'breached';
      const resumed: Clock = {
        ...clock,
        pauses,
        fulfilled_at: null,
        figures: null,
        outcome: late ? 'breached' : 'active',
      };
      // The terms may have changed while the clock was decided, and therefore out of their reach.
      const after = late ? resumed : (this.onTerms(resumed) ?? resumed);
      this.note(clock, after, 'reopened', 'status');
      return this.overdueByEdit(after, 'status');
    });
    for (const metric of owedAnew(this.state)) this.open(metric, this.at, 'status');
  }

  /** Brings running and paused in line with the status. */
  private pauseOrResume(cause: Cause): void {
    const { terms } = this.state;
    if (terms === null) return;
    this.each((clock) => {
      const pauses = this.pauses(terms, clock.metric);
      if (clock.outcome === 'active' && pauses) {
        // A reopening has just ended its time as resolved, which may lie behind the change.
        const still = held(clock.pauses, turningPoint([clock], this.turn));
        const after = timed({ ...clock, outcome: 'paused', pauses: still }, terms, this.at);
        this.note(clock, after, 'paused', cause);
        return after;
      }
      if (clock.outcome !== 'paused' || pauses) return clock;
      const after: Clock = { ...this.closePause(clock), outcome: 'active' };
      this.note(clock, after, 'resumed', cause);
      return this.overdueByEdit(after, cause);
    });
  }

  private recompute(cause: Cause): void {
    this.each((clock) => {
      if (!isUndecided(clock)) return clock;
      const after = this.onTerms(clock);
      if (after === null) return this.cancelled(clock, cause);
      if (after.due_at !== clock.due_at || after.target_seconds !== clock.target_seconds) {
        this.note(clock, after, 'recomputed', cause);
      }
      return this.overdueByEdit(after, cause);
    });
    this.awaken(cause);
  }

  /** What the requester still waits for is measured again, from the question on, where other terms or another priority measure it. */
  private awaken(cause: Cause): void {
    const { unanswered_since: since = null, terms, priority, status } = this.state;
    const waiting = this.state.clocks.some((clock) => clock.metric === 'next_response' && isUnanswered(clock));
    if (since === null || waiting || terms === null || DONE.has(status)) return;
    if (targetSeconds(terms, 'next_response', priority) === null) return;
    const given = this.last('next_response');
    const former = given?.outcome === 'cancelled' && given.started_at === since ? given : null;
    const paused = this.pauses(terms, 'next_response');
    const beside = terms.pause_metrics.includes('next_response') ? (this.last('resolution')?.pauses ?? []) : [];
    const holds = holdsSince(since, former?.pauses ?? [], beside, paused, this.turn);
    if (!former) this.open('next_response', since, cause, holds);
    this.each((clock) => {
      if (clock !== former) return clock;
      const awake = this.onTerms({ ...clock, pauses: holds, outcome: paused ? 'paused' : 'active' }) ?? clock;
      this.note(clock, awake, 'recomputed', cause);
      return this.overdueByEdit(awake, cause);
    });
  }

  /** The clock under the present terms and priority; null when they do not measure its metric. */
  private onTerms(clock: Clock): Clock | null {
    const { terms, priority } = this.state;
    const target = terms && targetSeconds(terms, clock.metric, priority);
    if (!terms || target === null) return null;
    return timed({ ...clock, priority_applied: priority, target_seconds: target }, terms, this.at);
  }

  /** A moment that an edit moved into the past is reached now, not then: nobody could have known it. */
  private overdueByEdit(clock: Clock, cause: Cause): Clock {
    const passed = (moment: string | null): boolean => moment !== null && ms(moment) <= ms(this.at);
    if (clock.outcome !== 'active') return clock;
    if (passed(clock.due_at)) {
      const after: Clock = { ...clock, outcome: 'breached', breached_at: this.at };
      this.note(clock, after, 'breached', cause);
      return after;
    }
    if (clock.at_risk_notified || !passed(clock.at_risk_at)) return clock;
    this.note(clock, clock, 'at_risk', cause);
    return { ...clock, at_risk_notified: true };
  }

  private open(metric: Metric, startedAt: string, cause: Cause, holds?: readonly Pause[]): void {
    const { terms, priority, status, clocks } = this.state;
    const target = terms && targetSeconds(terms, metric, priority);
    if (!terms || target === null) return;
    const paused = !DONE.has(status) && this.pauses(terms, metric);
    const clock: Clock = {
      metric,
      instance_no: (this.last(metric)?.instance_no ?? 0) + 1,
      priority_applied: priority,
      target_seconds: target,
      started_at: startedAt,
      pauses: holds ?? (paused ? held([], this.turn) : []),
      due_at: null,
      at_risk_at: null,
      at_risk_notified: false,
      fulfilled_at: null,
      breached_at: null,
      outcome: paused ? 'paused' : 'active',
    };
    const started = timed(clock, terms, this.at);
    this.note(clock, started, 'started', cause);
    const judged = startedAt === this.at ? started : this.overdueByEdit(started, cause);
    this.state = { ...this.state, clocks: [...clocks, judged] };
  }

  private closePause(clock: Clock): Clock {
    const pauses = ended(clock.pauses, this.turn);
    return pauses && this.state.terms ? timed({ ...clock, pauses }, this.state.terms, this.at) : clock;
  }

  /** Before an answer: a target that an edit shortened while the clock stood still may be used up. */
  private endHold(clock: Clock, cause: Cause): Clock {
    const closed = this.closePause(clock);
    if (clock.outcome !== 'paused' || closed.due_at === null || ms(closed.due_at) >= ms(this.at)) return closed;
    const after: Clock = { ...closed, outcome: 'breached', breached_at: this.at };
    this.note(clock, after, 'breached', cause);
    return after;
  }

  private cancelled(clock: Clock, cause: Cause): Clock {
    const after: Clock = { ...clock, outcome: 'cancelled' };
    this.note(clock, after, 'cancelled', cause);
    return after;
  }

  private pauses(terms: Terms, metric: Metric): boolean {
    return terms.pause_metrics.includes(metric) && terms.pause_statuses.includes(this.state.status);
  }

  private last(metric: Metric): Clock | undefined {
    return this.state.clocks.findLast((clock) => clock.metric === metric);
  }

  private each(change: (clock: Clock) => Clock): void {
    this.state = { ...this.state, clocks: this.state.clocks.map(change) };
  }

  private note(before: Clock, after: Clock, change: Change, cause: Cause, at = this.at): void {
    const { metric, instance_no } = before;
    this.notes.push({ at, metric, instance_no, change, old_due_at: before.due_at, new_due_at: after.due_at, cause });
  }
}
