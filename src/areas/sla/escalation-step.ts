import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { ACTION, shownActionSchema } from '../../platform/area/action-schema';
import type { Action } from '../../platform/area/rules';
import { AnyMember, EnumMember, IntegerMember } from '../../platform/http/answer-members';
import { Choice, IfGiven, listOf, objectOf, Shaped } from '../../platform/validation/shapes';
import { type Metric, METRICS } from './clock-types';

const MOMENTS = ['at_risk', 'breach'] as const;

type Moment = (typeof MOMENTS)[number];

const range = { context: { code: 'range' } };

/** A step of an escalation in a body. */
export class NewEscalationStep {
  @Choice(METRICS)
  readonly metric: Metric;

  @Choice(MOMENTS)
  readonly at: Moment;

  @ApiProperty({ type: 'integer', required: false, default: 0 })
  @IfGiven()
  @IsInt(range)
  @Min(-1_440, range)
  @Max(10_080, range)
  readonly offset_minutes?: number;

  @Shaped(listOf(ACTION, { min: 1, max: 20, of: 'actions', code: 'size' }))
  readonly actions: readonly unknown[];
}

/** Actions some minutes after (or, negative, before) a clock is at risk or breaches. */
export class EscalationStep {
  @EnumMember(METRICS)
  readonly metric: Metric;

  @EnumMember(MOMENTS)
  readonly at: Moment;

  @IntegerMember()
  readonly offset_minutes: number;

  @AnyMember({ type: 'array', items: shownActionSchema })
  readonly actions: readonly Action[];
}

/** What a column of steps is. */
export const ESCALATION_STEPS = {
  description: 'Actions, as of automations, some minutes after (negative: before) a clock is at risk or breaches.',
  shape: listOf(objectOf(NewEscalationStep), { max: 10, of: 'steps' }),
  shown: { type: 'array', items: objectOf(EscalationStep).api },
};
