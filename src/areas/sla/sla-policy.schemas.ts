import type { ApiPropertyOptions } from '@nestjs/swagger';
import { actionSchema, shownActionSchema } from '../../platform/area/action-schema';
import { METRICS } from './clock-types';

const minutes = { type: 'integer' as const, minimum: 1, maximum: 5_256_000 };

const target = {
  type: 'object' as const,
  required: ['first_response_minutes', 'resolution_minutes'],
  additionalProperties: false,
  properties: {
    first_response_minutes: minutes,
    next_response_minutes: { ...minutes, nullable: true },
    resolution_minutes: minutes,
  },
};

/** OpenAPI of `targets`. */
export const targetsSchema: ApiPropertyOptions = {
  type: 'object',
  required: ['urgent', 'high', 'medium', 'low'],
  additionalProperties: false,
  properties: { urgent: target, high: target, medium: target, low: target },
  description: 'Minutes by priority; all four. The first response is due no later than the resolution.',
  example: Object.fromEntries(
    [
      ['urgent', 60, 240],
      ['high', 240, 480],
      ['medium', 480, 1_440],
      ['low', 1_440, 4_320],
    ].map(([priority, first_response_minutes, resolution_minutes]) => [
      priority,
      { first_response_minutes, resolution_minutes },
    ]),
  ),
};

const step = (actions: object) => ({
  metric: { type: 'string' as const, enum: [...METRICS] },
  at: { type: 'string' as const, enum: ['at_risk', 'breach'] },
  offset_minutes: { type: 'integer' as const, minimum: -1_440, maximum: 10_080, default: 0 },
  actions: { type: 'array' as const, minItems: 1, maxItems: 20, items: actions },
});

/** OpenAPI of `escalation`. */
export const escalationSchema: ApiPropertyOptions = {
  type: 'array',
  maxItems: 10,
  items: {
    type: 'object',
    required: ['metric', 'at', 'actions'],
    properties: step(actionSchema),
    additionalProperties: false,
  },
  description: 'Actions, as of automations, some minutes after (negative: before) a clock is at risk or breaches.',
};

/** How answers show `escalation`. */
export const shownEscalationSchema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['metric', 'at', 'offset_minutes', 'actions'],
    properties: {
      ...step(shownActionSchema),
      offset_minutes: { type: 'integer' },
      actions: { type: 'array', items: shownActionSchema },
    },
  },
};
