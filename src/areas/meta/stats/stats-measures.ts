/** What is counted, by the names of the columns of `ticket_stat_days`. */
export const STATUSES = ['open', 'in_progress', 'on_hold', 'resolved', 'closed'] as const;
export const UNFINISHED = ['open', 'in_progress', 'on_hold'] as const;
export const PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const;
export const CHANNELS = ['portal', 'email', 'phone', 'chat', 'internal'] as const;
export const METRICS = ['first_response', 'next_response', 'resolution'] as const;
export const SCORES = [1, 2, 3, 4, 5] as const;

/** Counted over the tickets that were created in the window. */
const OF_TICKETS = [...STATUSES, ...PRIORITIES, ...CHANNELS, 'unassigned'] as const;
/** Counted over what happened in the window. */
const OF_OUTCOMES = [
  ...SCORES.map((score) => `rated_${score}` as const),
  ...METRICS.flatMap((metric) => [`${metric}_met`, `${metric}_breached`] as const),
] as const;
/** Counted over all tickets as they are now. */
export const OF_NOW = ['sla_at_risk', 'sla_breached'] as const;

export const MEASURES = [...OF_TICKETS, ...OF_OUTCOMES, ...OF_NOW] as const;

export type Measure = (typeof MEASURES)[number];

/** Numbers by measure; what is missing is 0. */
export type Counts = Partial<Record<Measure, number>>;

/** Times that are measured, with their number in `ticket_durations`. */
export const DURATIONS = { first_response: 1, resolution: 2 } as const;

export type Duration = keyof typeof DURATIONS;
