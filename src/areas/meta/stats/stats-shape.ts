import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import {
  AnyMember,
  CountsMember,
  IntegerMember,
  NumberMember,
  ObjectMember,
} from '../../../platform/http/answer-members';
import { CHANNELS, METRICS, PRIORITIES, SCORES, STATUSES } from './stats-measures';
import { COUNT_SCHEMAS, COUNTED_NAMES, EXAMPLE_COUNTS } from './stats-resources';

type By<Name extends string | number, Value = number> = Record<Name, Value>;

const Count = (description?: string): PropertyDecorator => IntegerMember({ minimum: 0, description });
const Figure = (description: string): PropertyDecorator => NumberMember({ nullable: true, description });

/** Promises of one kind that were kept and missed. */
export class MetricStats {
  @Count('Answered in time.')
  met: number;

  @Count('Answered too late, or still not answered.')
  breached: number;

  @Figure('met / (met + breached); null when none was decided.')
  pct: number | null;
}

export class TicketStats {
  @Count('Created in the window.')
  total: number;

  @CountsMember(STATUSES, 'By the status they have now.')
  by_status: By<(typeof STATUSES)[number]>;

  @CountsMember(PRIORITIES, 'By the priority they have now.')
  by_priority: By<(typeof PRIORITIES)[number]>;

  @CountsMember(CHANNELS, 'By how they came in.')
  by_channel: By<(typeof CHANNELS)[number]>;

  @Count('Without an assignee.')
  unassigned: number;

  @Count("Created on the present day of the workspace's time zone, whatever the window.")
  created_today: number;

  @Count("Resolved (and not reopened) on the present day of the workspace's time zone.")
  resolved_today: number;

  @Figure('Median age of the tickets that are open, in progress or on hold now; null when there is none.')
  backlog_age_p50_hours: number | null;
}

@ApiExtraModels(MetricStats)
export class SlaStats {
  @Figure('Of all promises that were decided in the window, those kept; null when none was.')
  compliance_pct: number | null;

  @AnyMember(
    {
      type: 'object',
      required: [...METRICS],
      properties: Object.fromEntries(METRICS.map((name) => [name, { $ref: getSchemaPath(MetricStats) }])),
    },
    { description: 'Decided in the window; team and assignee are those of the moment of the decision.' },
  )
  by_metric: By<(typeof METRICS)[number], MetricStats>;

  @Count('Unfinished tickets that are about to miss a target, now.')
  at_risk: number;

  @Count('Unfinished tickets that have missed a target, now.')
  breached_open: number;
}

export class ResponseStats {
  @Figure(
    'From the creation to the first public answer given in the window, around the clock; null when there was none.',
  )
  first_response_median_minutes: number | null;

  @Figure('So long did the fastest 90 % take at most.')
  first_response_p90_minutes: number | null;

  @Figure(
    'From the creation to the resolution in the window, around the clock; reopened tickets count with their newest one.',
  )
  resolution_median_minutes: number | null;

  @Figure('So long did the fastest 90 % take at most.')
  resolution_p90_minutes: number | null;
}

export class CsatStats {
  @Figure('Ratings of 4 and 5 among all; null when there is none.')
  score_pct: number | null;

  @Figure('1 to 5; null when there is none.')
  average: number | null;

  @Count('Ratings given in the window, one for each rated resolution.')
  responses: number;

  @CountsMember(SCORES, 'By score.')
  by_score: By<(typeof SCORES)[number]>;
}

/** Answer of `GET /stats`: product reference 1.19. Percentages to two places, times in minutes, ages in hours. */
export class Stats {
  @ObjectMember(() => TicketStats)
  tickets: TicketStats;

  @ObjectMember(() => SlaStats)
  sla: SlaStats;

  @ObjectMember(() => ResponseStats)
  response: ResponseStats;

  @ObjectMember(() => CsatStats)
  csat: CsatStats;

  @AnyMember(
    { type: 'object', required: COUNTED_NAMES, properties: COUNT_SCHEMAS },
    { description: 'How many there are in the workspace, whatever the window and the filters.' },
  )
  resources: By<string>;
}

/** The example of the OpenAPI document. */
export const statsExample: Stats = {
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
  resources: EXAMPLE_COUNTS,
};
