import { ArrayUnique, IsArray, IsIn, IsObject } from 'class-validator';
import { Entity } from 'typeorm';
import { SCHEDULE, type Schedule } from '../../platform/calendar/schedule';
import type { Conditions } from '../../platform/conditions/condition';
import { conditionsSchema, shownConditionsSchema } from '../../platform/conditions/conditions-schema';
import {
  BooleanColumn,
  ComputedColumn,
  DateColumn,
  IntegerColumn,
  JsonColumn,
  ReferenceColumn,
  StringColumn,
  StringsColumn,
} from '../../platform/columns/columns';
import { LAST_PLACE } from '../../platform/resource/last-place';
import { ResourceEntity } from '../../platform/resource/resource-entity';
import { METRICS } from './clock-types';
import { ESCALATION_STEPS, type EscalationStep } from './escalation-step';
import { type SlaTarget, TARGETS } from './sla-targets';
import type { Computed } from '../../platform/resource/rows';

/** Statuses in which a policy may let clocks stand still. */
export const PAUSE_STATUSES = ['open', 'in_progress', 'on_hold'] as const;

/** What is promised to the tickets that it applies to: product reference 1.9. */
@Entity('sla_policies')
export class SlaPolicy extends ResourceEntity {
  @StringColumn({ required: true, max: 255, description: 'Unique.', example: 'Gold' })
  name: string;

  @StringColumn({ max: 2_000, nullable: true })
  description: string | null;

  @BooleanColumn({ default: true })
  is_active: boolean;

  @BooleanColumn({ default: false, description: 'Applies where no other does. Setting it takes it from the other.' })
  is_default: boolean;

  @IntegerColumn({ min: 1, max: LAST_PLACE, description: 'Lower comes first; last unless given.', example: 2 })
  position: number;

  @JsonColumn({
    default: {},
    rules: [IsObject()],
    api: conditionsSchema,
    shown: shownConditionsSchema,
    description: '`{all: […], any: […]}` over the fields of a ticket, as in automations; `{}` holds for every ticket.',
    example: { all: [{ field: 'priority', operator: 'in', value: ['high', 'urgent'] }] },
  })
  conditions: Conditions;

  @JsonColumn({ required: true, ...TARGETS })
  targets: Record<string, SlaTarget>;

  @JsonColumn({ default: { mode: '24x7' }, ...SCHEDULE })
  schedule: Schedule;

  @ReferenceColumn('schedules', {
    nullable: true,
    description:
      'The schedule that it follows: `schedule` is then what that says, now and later. A new policy that names neither follows the default schedule, if there is one; other hours in `schedule` alone end the following.',
  })
  schedule_id: number | null;

  @StringsColumn({
    maxItems: PAUSE_STATUSES.length,
    maxLength: 20,
    default: ['on_hold'],
    description: 'Statuses in which clocks stand still: open, in_progress, on_hold.',
  })
  @IsArray()
  @IsIn(PAUSE_STATUSES, { each: true })
  pause_statuses: string[];

  @StringsColumn({
    maxItems: METRICS.length,
    maxLength: 20,
    default: ['next_response', 'resolution'],
    description: 'Clocks that stand still then: first_response, next_response, resolution.',
  })
  @ArrayUnique()
  @IsIn(METRICS, { each: true })
  pause_metrics: string[];

  @IntegerColumn({
    min: 50,
    max: 99,
    default: 80,
    description: 'Per cent of the target after which a clock is at risk.',
  })
  at_risk_threshold_pct: number;

  @JsonColumn({ default: [], ...ESCALATION_STEPS })
  escalation: EscalationStep[];

  @DateColumn({ nullable: true, description: 'First day on which it applies to tickets.' })
  starts_on: string | null;

  @DateColumn({ nullable: true, description: 'Last day.' })
  ends_on: string | null;

  @BooleanColumn({ default: false, description: 'Comments by automations and AI answer the requester, too.' })
  ai_counts_as_response: boolean;

  @ComputedColumn(
    { type: 'integer', description: 'Tickets it applies to.' },
    (policy) =>
      `(SELECT count(*) FROM tickets x WHERE x.workspace_id = ${policy}.workspace_id AND x.sla_policy_id = ${policy}.id)`,
  )
  ticket_count: Computed<number>;

  @ComputedColumn(
    {
      type: 'number',
      description: 'Per cent of the clocks decided in the last 30 days that were met; null without any.',
    },
    (policy) => complianceOf(policy),
    true,
  )
  compliance_30d: Computed<number | null>;
}

/** SQL of `compliance_30d` of a policy. @param seen condition on its clocks `x`: of the tickets that somebody sees */
export function complianceOf(policy: string, seen = 'true'): string {
  return `(SELECT round(100.0 * count(*) FILTER (WHERE x.outcome = 'met') / nullif(count(*), 0), 2)::float FROM sla_clocks x
        WHERE x.workspace_id = ${policy}.workspace_id AND x.policy_id = ${policy}.id AND x.decided_at >= now() - interval '30 days'
          AND x.outcome IN ('met', 'breached') AND ${seen})`;
}
