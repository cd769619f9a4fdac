import type { Schedule } from '../../platform/calendar/schedule';
import type { SlaTarget } from './sla-targets';

export const METRICS = ['first_response', 'next_response', 'resolution'] as const;

export type Metric = (typeof METRICS)[number];

/** What a policy demands, as far as clocks depend on it. */
export interface Terms {
  readonly policy_id: number;
  readonly policy_name: string;
  /** The record version of the policy when it was read. */
  readonly policy_version: number;
  readonly schedule: Schedule;
  /** By priority. */
  readonly targets: Readonly<Record<string, SlaTarget>>;
  readonly pause_statuses: readonly string[];
  readonly pause_metrics: readonly Metric[];
  readonly at_risk_threshold_pct: number;
  readonly ai_counts_as_response: boolean;
}

export const PAUSE_KINDS = ['hold', 'resolved'] as const;

/** A time that does not count, `[from, to)`; the last one of a paused clock is open (`to` null). */
export interface Pause {
  readonly from: string;
  readonly to: string | null;
  readonly kind: (typeof PAUSE_KINDS)[number];
}

export const OUTCOMES = ['active', 'paused', 'met', 'breached', 'cancelled'] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** The time that passed for a clock, in whole working seconds; `pauses` of each of its pauses. */
export interface Figures {
  readonly elapsed: number;
  readonly remaining: number;
  readonly overdue: number;
  readonly pauses: readonly number[];
}

/** One promise to one ticket: a metric and its instance. Moments are ISO 8601, UTC, with milliseconds. */
export interface Clock {
  readonly metric: Metric;
  /** Counts from 1 within the metric. */
  readonly instance_no: number;
  readonly priority_applied: string;
  readonly target_seconds: number;
  readonly started_at: string;
  readonly pauses: readonly Pause[];
  /** Null while paused, and when working time never comes (10 years). */
  readonly due_at: string | null;
  readonly at_risk_at: string | null;
  /** Whether `at_risk` was noted for the present due moment. */
  readonly at_risk_notified: boolean;
  readonly fulfilled_at: string | null;
  readonly breached_at: string | null;
  readonly outcome: Outcome;
  /** As they were when it was answered; null until then, and of what was answered before figures were kept. */
  readonly figures?: Figures | null;
}

/** How a ticket begins, as its clocks see it. */
export interface Created {
  readonly at: string;
  readonly status: string;
  readonly priority: string;
  readonly channel: string;
  /**
   * Set when the ticket comes from another system: the moment of the import. A promise that was already overdue then was not
   * ours: its clock starts cancelled, so that it breaches nothing.
   */
  readonly imported_at?: string | null;
}

/** A ticket as its clocks see it. */
export interface SlaState {
  readonly clocks: readonly Clock[];
  readonly terms: Terms | null;
  readonly status: string;
  readonly priority: string;
  readonly channel: string;
  readonly created_at: string;
  /** The ticket's own first response; matters only where a policy comes to apply after it. */
  readonly first_response_at: string | null;
  /** The requester's first question since the last answer, whether or not a clock runs for it. */
  readonly unanswered_since?: string | null;
}

export type CommentAuthor = 'agent' | 'requester' | 'system' | 'automation' | 'ai';

/**
 * Something that happened to a ticket at `at`. Of one change, apply `status` before `priority`, `terms` and `comment`: a comment on a ticket
 * that is resolved (still) starts nothing.
 */
export type Fact = { readonly at: string } & (
  | { readonly type: 'status'; readonly to: string }
  | { readonly type: 'priority'; readonly priority: string }
  | { readonly type: 'comment'; readonly author: CommentAuthor; readonly is_internal: boolean }
  | { readonly type: 'terms'; readonly terms: Terms | null }
  | { readonly type: 'cancelled' }
  | { readonly type: 'time' }
);

/**
 * What became of a clock. `fulfilled_late`: answered after the breach; `reopened`: a resolution counts on; `recomputed`: another
 * target or schedule.
 */
export type Change =
  | 'started'
  | 'paused'
  | 'resumed'
  | 'at_risk'
  | 'breached'
  | 'met'
  | 'fulfilled_late'
  | 'reopened'
  | 'recomputed'
  | 'cancelled';

export type Cause = 'created' | 'status' | 'priority' | 'policy' | 'comment' | 'time' | 'cancelled';

/** A line of the ticket's SLA history, and the source of its events. */
export interface Note {
  /** When it happened, which is before it was noticed if the worker was late. */
  readonly at: string;
  readonly metric: Metric;
  readonly instance_no: number;
  readonly change: Change;
  readonly old_due_at: string | null;
  readonly new_due_at: string | null;
  readonly cause: Cause;
}

/** Answer of `applyFact`; `state` is a new object, clocks that did not change stay the same objects. */
export interface Applied {
  readonly state: SlaState;
  readonly notes: readonly Note[];
}

export const SLA_STATUSES = ['none', 'on_track', 'at_risk', 'breached', 'paused', 'met'] as const;

export type SlaStatus = (typeof SLA_STATUSES)[number];
