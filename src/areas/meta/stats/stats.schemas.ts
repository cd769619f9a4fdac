import { CHANNELS, METRICS, PRIORITIES, RESOURCES, SCORES, STATUSES } from './stats-measures';

const count = (description?: string): object => ({
  type: 'integer',
  minimum: 0,
  ...(description ? { description } : {}),
});
const number = (description: string): object => ({ type: 'number', nullable: true, description });

function object(properties: Record<string, object>, description?: string): object {
  return { type: 'object', required: Object.keys(properties), properties, ...(description ? { description } : {}) };
}

const counts = (names: readonly (string | number)[], description: string): object =>
  object(Object.fromEntries(names.map((name) => [String(name), count()])), description);

const metric = object({
  met: count('Answered in time.'),
  breached: count('Answered too late, or still not answered.'),
  pct: number('met / (met + breached); null when none was decided.'),
});

const example = {
  tickets: {
    total: 128,
    by_status: { open: 14, in_progress: 9, on_hold: 3, resolved: 12, closed: 90 },
    by_priority: { low: 30, medium: 66, high: 24, urgent: 8 },
    by_channel: { portal: 40, email: 60, phone: 15, chat: 10, internal: 3 },
    unassigned: 11,
    created_today: 6,
    resolved_today: 4,
    backlog_age_p50_hours: 31.25,
  },
  sla: {
    compliance_pct: 93.33,
    by_metric: {
      first_response: { met: 96, breached: 4, pct: 96 },
      next_response: { met: 40, breached: 5, pct: 88.89 },
      resolution: { met: 88, breached: 7, pct: 92.63 },
    },
    at_risk: 2,
    breached_open: 1,
  },
  response: {
    first_response_median_minutes: 12.5,
    first_response_p90_minutes: 55.2,
    resolution_median_minutes: 340.75,
    resolution_p90_minutes: 2_880,
  },
  csat: { score_pct: 87.5, average: 4.38, responses: 16, by_score: { 1: 1, 2: 0, 3: 1, 4: 4, 5: 10 } },
  resources: {
    companies: 41,
    contacts: 210,
    users: 12,
    kb_articles: 35,
    assets: 90,
    meetings: 18,
    leads: 22,
    deals: 9,
    quotes: 14,
    automations: 6,
  },
};

/** Answer of `GET /stats`. */
export const statsSchema = {
  ...object({
    data: object({
      tickets: object({
        total: count('Created in the window.'),
        by_status: counts(STATUSES, 'By the status they have now.'),
        by_priority: counts(PRIORITIES, 'By the priority they have now.'),
        by_channel: counts(CHANNELS, 'By how they came in.'),
        unassigned: count('Without an assignee.'),
        created_today: count("Created on the present day of the workspace's time zone, whatever the window."),
        resolved_today: count("Resolved (and not reopened) on the present day of the workspace's time zone."),
        backlog_age_p50_hours: number(
          'Median age of the tickets that are open, in progress or on hold now; null when there is none.',
        ),
      }),
      sla: object({
        compliance_pct: number('Of all promises that were decided in the window, those kept; null when none was.'),
        by_metric: object(
          Object.fromEntries(METRICS.map((name) => [name, metric])),
          'Decided in the window; team and assignee are those of the moment of the decision.',
        ),
        at_risk: count('Unfinished tickets that are about to miss a target, now.'),
        breached_open: count('Unfinished tickets that have missed a target, now.'),
      }),
      response: object({
        first_response_median_minutes: number(
          'From the creation to the first public answer given in the window, around the clock; null when there was none.',
        ),
        first_response_p90_minutes: number('So long did the fastest 90 % take at most.'),
        resolution_median_minutes: number(
          'From the creation to the resolution in the window, around the clock; reopened tickets count with their newest one.',
        ),
        resolution_p90_minutes: number('So long did the fastest 90 % take at most.'),
      }),
      csat: object({
        score_pct: number('Ratings of 4 and 5 among all; null when there is none.'),
        average: number('1 to 5; null when there is none.'),
        responses: count('Ratings given in the window, one for each rated resolution.'),
        by_score: counts(SCORES, 'By score.'),
      }),
      resources: counts(RESOURCES, 'How many there are in the workspace, whatever the window and the filters.'),
    }),
  }),
  example: { data: example },
} as Record<string, unknown>;
