import type { ToldWith } from '../../platform/resource/change';
import { applyFact } from './clock';
import { followsPolicy } from './clock-time';
import { dueMoments, nextCheckAt, rollup, view } from './clock-view';
import {
  type Applied,
  type Change,
  type Clock,
  type Fact,
  METRICS,
  type Note,
  type SlaState,
  type SlaStatus,
} from './clock-types';
import type { Policy } from './policy-match';
import type { EscalationRow, WrittenClock } from './sla-rows';
import { stepNumbers } from './step-numbers';

/** The clocks of a ticket as they are stored, with the policy they were computed by. */
export interface StoredClocks {
  state: SlaState;
  policy: Policy | null;
  /** Clocks that wait for their answer were computed, and their steps planned, by an earlier version of the policy. */
  stale: boolean;
}

/** SLA columns of a ticket; moments are ISO 8601. */
export type SlaColumns = {
  sla_policy_id: number | null;
  sla_status: SlaStatus;
  sla_due_at: string | null;
  first_response_due_at: string | null;
  next_response_due_at: string | null;
  next_sla_due_at: string | null;
  sla_at_risk_at: string | null;
};

/** What facts made of the clocks of a ticket: everything there is to write. */
export interface SlaTransition {
  /** SLA columns of the ticket. */
  values: SlaColumns;
  events: ToldWith[];
  clocks: WrittenClock[];
  history: Note[];
  escalations: EscalationRow[];
}

const EVENTS: Readonly<Partial<Record<Change, string>>> = {
  paused: 'ticket.sla_paused',
  resumed: 'ticket.sla_resumed',
  reopened: 'ticket.sla_resumed',
  at_risk: 'ticket.sla_at_risk',
  breached: 'ticket.sla_breach',
  met: 'ticket.sla_met',
};

/**
 * Applies what happened, in order.
 *
 * @param policy the one that applies from now on; a change of policy comes before comments, after the rest
 */
export function followFacts(
  stored: StoredClocks,
  policy: Policy | null,
  facts: readonly Fact[],
  now: string,
): SlaTransition {
  // Clocks of a policy that was deleted go on under the one that applies instead.
  const orphaned = stored.policy === null && stored.state.clocks.length > 0;
  let state = orphaned ? { ...stored.state, terms: policy } : stored.state;
  const notes: Note[] = [];
  const apply = (fact: Fact): void => {
    const applied = applyFact(state, fact);
    state = applied.state;
    notes.push(...applied.notes);
  };
  // What was promised by an edited policy is made good before anything else happens to the ticket.
  const edited = orphaned ? policy : stored.policy;
  if ((stored.stale || orphaned) && edited) apply({ at: now, type: 'terms', terms: edited });
  const comments = facts.filter(({ type }) => type === 'comment');
  for (const fact of facts) if (fact.type !== 'comment') apply(fact);
  const unclocked = state.clocks.length === 0 && policy !== null;
  if (policy?.policy_id !== state.terms?.policy_id || unclocked) apply({ at: now, type: 'terms', terms: policy });
  for (const fact of comments) apply(fact);
  apply({ at: now, type: 'time' });
  const moved = state.clocks.filter((clock) => !stored.state.clocks.includes(clock));
  const refreshed =
    stored.stale || orphaned ? state.clocks.filter((clock) => followsPolicy(clock) && !moved.includes(clock)) : [];
  const isEdit = stored.stale && policy?.policy_id === stored.policy?.policy_id;
  return transitionOf(state, policy, [...moved, ...refreshed], notes, now, isEdit ? stored.state.clocks : []);
}

/** What a new ticket starts with: its clocks, and what the creation itself has decided about them. */
export function openingTransition({ state, notes }: Applied, policy: Policy | null, now: string): SlaTransition {
  return transitionOf(state, policy, state.clocks, notes, now);
}

/** SLA columns of a ticket (product reference 3.7 and 3.9). */
export function ticketValues({ clocks, terms }: SlaState, now: string): SlaColumns {
  const { next_due_at, at_risk_at, ...due } = dueMoments(clocks);
  return {
    sla_policy_id: terms?.policy_id ?? null,
    sla_status: rollup(clocks, Date.parse(now)),
    ...due,
    next_sla_due_at: next_due_at,
    sla_at_risk_at: at_risk_at,
  };
}

function transitionOf(
  state: SlaState,
  policy: Policy | null,
  clocks: readonly Clock[],
  notes: readonly Note[],
  now: string,
  edited: readonly Clock[] = [],
): SlaTransition {
  const wasThere = ({ metric, instance_no }: Clock): boolean =>
    edited.some((each) => each.metric === metric && each.instance_no === instance_no);
  return {
    values: ticketValues(state, now),
    events: eventsOf(notes, state, now),
    clocks: clocks.map((clock) => writtenClock(clock, policy)),
    history: notes.filter(({ change }) => change !== 'started'),
    escalations: clocks.flatMap((clock) => escalationsOf(clock, policy, wasThere(clock) ? now : null)),
  };
}

/** A clock as it is stored. */
export function writtenClock(clock: Clock, policy: Policy | null): WrittenClock {
  const isDecided = clock.outcome === 'met' || clock.outcome === 'breached';
  return {
    ...clock,
    policy_id: policy?.policy_id ?? null,
    policy_version: policy?.policy_version ?? 0,
    next_check_at: nextCheckAt(clock),
    decided_at: isDecided ? earliest([clock.fulfilled_at, clock.breached_at]) : null,
  };
}

/** One event of each type, whatever a change (or the passing of time) did to several clocks at once: it names them all. */
function eventsOf(notes: readonly Note[], state: SlaState, now: string): ToldWith[] {
  const drafts: { type: string; notes: Note[] }[] = [];
  for (const note of notes) {
    const type = EVENTS[note.change];
    if (type === undefined) continue;
    const shared = drafts.find((draft) => draft.type === type);
    if (shared) shared.notes.push(note);
    else drafts.push({ type, notes: [note] });
  }
  return drafts.map(({ type, notes: told }) => ({ type, related: { sla: payload(told, state, now) } }));
}

/** What an event says: the figures of the foremost clock, and in `clocks` those of each. */
function payload(told: readonly Note[], state: SlaState, now: string): object {
  const ranked = told.toSorted((a, b) => METRICS.indexOf(b.metric) - METRICS.indexOf(a.metric));
  const clocks = ranked.flatMap(({ metric, instance_no }) =>
    state.clocks.filter((clock) => clock.metric === metric && clock.instance_no === instance_no),
  );
  const figures = clocks.map((clock) => ({
    policy_id: state.terms?.policy_id ?? null,
    metric: clock.metric,
    instance: clock.instance_no,
    target_minutes: clock.target_seconds / 60,
    due_at: clock.due_at,
    at_risk_at: clock.at_risk_at,
    breached_at: clock.breached_at,
    overdue_seconds: state.terms === null ? 0 : view(clock, state.terms, Date.parse(now)).overdue_seconds,
  }));
  return { ...figures[0], clocks: figures };
}

/**
 * When the steps of the policy are to be taken for a clock; steps whose moment is unknown or past come to nothing.
 *
 * @param editedAt when the policy was seen to be edited since the clock began; null = it was not
 */
function escalationsOf(clock: Clock, policy: Policy | null, editedAt: string | null): EscalationRow[] {
  const { policy_id, escalation } = policy ?? { policy_id: 0, escalation: [] };
  if (escalation.length === 0) return [];
  const numbers = stepNumbers(escalation);
  return escalation.flatMap(({ metric, at, offset_minutes }, index) => {
    if (metric !== clock.metric) return [];
    const base = at === 'breach' ? clock.due_at : clock.at_risk_at;
    const moment = isRunning(clock) && base !== null ? Date.parse(base) + offset_minutes * 60_000 : null;
    const fire_at = moment === null || moment < Date.parse(clock.started_at) ? null : new Date(moment).toISOString();
    const fired_at = fire_at !== null && editedAt !== null && fire_at <= editedAt ? editedAt : null;
    return [{ policy_id, metric, instance_no: clock.instance_no, step: numbers[index] ?? 0, fire_at, fired_at }];
  });
}

/** Still waiting for its answer, be it late. */
const isRunning = ({ outcome, fulfilled_at }: Clock): boolean =>
  outcome === 'active' || (outcome === 'breached' && fulfilled_at === null);

function earliest(moments: readonly (string | null)[]): string | null {
  return moments.reduce<string | null>(
    (first, each) => (each !== null && (first === null || each < first) ? each : first),
    null,
  );
}
