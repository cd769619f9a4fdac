import type { ApiPropertyOptions } from '@nestjs/swagger';
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

/** OpenAPI of `escalation`. */
export const escalationSchema: ApiPropertyOptions = {
  type: 'array',
  maxItems: 10,
  items: {
    type: 'object',
    required: ['metric', 'at', 'actions'],
    properties: {
      metric: { type: 'string', enum: [...METRICS] },
      at: { type: 'string', enum: ['at_risk', 'breach'] },
      offset_minutes: { type: 'integer', minimum: -1_440, maximum: 10_080, default: 0 },
      actions: { type: 'array', minItems: 1, maxItems: 20, items: { type: 'object', additionalProperties: true } },
    },
  },
  description: 'Actions, as of automations, some minutes after (negative: before) a clock is at risk or breaches.',
};
