import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min, ValidateBy } from 'class-validator';
import { isRecord } from '../../platform/text/json';
import { IfPresent, IsShapedAsOne, objectOf, Shaped } from '../../platform/validation/shapes';

/** Ten years. */
const MAX_MINUTES = 5_256_000;

const Minutes = (): PropertyDecorator => applyDecorators(IsInt(), Min(1), Max(MAX_MINUTES));

/** Minutes allowed for one priority; without `next_response_minutes` later answers are not measured. */
export class SlaTarget {
  @ApiProperty({ type: 'integer', required: true })
  @NotAfterResolution()
  @Minutes()
  readonly first_response_minutes: number;

  @ApiProperty({ type: 'integer', required: false, nullable: true })
  @IfPresent()
  @Minutes()
  readonly next_response_minutes?: number | null;

  @ApiProperty({ type: 'integer', required: true })
  @Minutes()
  readonly resolution_minutes: number;
}

/** Every priority has a target. */
export class SlaTargets {
  @Shaped(objectOf(SlaTarget))
  readonly urgent: SlaTarget;

  @Shaped(objectOf(SlaTarget))
  readonly high: SlaTarget;

  @Shaped(objectOf(SlaTarget))
  readonly medium: SlaTarget;

  @Shaped(objectOf(SlaTarget))
  readonly low: SlaTarget;
}

const minutes = (first_response_minutes: number, resolution_minutes: number): SlaTarget => ({
  first_response_minutes,
  resolution_minutes,
});

const example: SlaTargets = {
  urgent: minutes(60, 240),
  high: minutes(240, 480),
  medium: minutes(480, 1_440),
  low: minutes(1_440, 4_320),
};

const shape = objectOf(SlaTargets);

/** What a column of targets is. */
export const TARGETS = {
  description: 'Minutes by priority; all four. The first response is due no later than the resolution.',
  example,
  rules: [IsShapedAsOne(shape)],
  api: shape.api,
};

function NotAfterResolution(): PropertyDecorator {
  return ValidateBy({
    name: 'notAfterResolution',
    validator: {
      validate: (first: unknown, args) =>
        !isRecord(args?.object) || !(Number(first) > Number(args.object.resolution_minutes)),
      defaultMessage: () => '$property must not allow more time than the resolution has',
    },
  });
}
