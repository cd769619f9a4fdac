import type { ApiPropertyOptions } from '@nestjs/swagger';
import { WEEKDAYS } from '../../platform/calendar/schedule';
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

const day = {
  type: 'array',
  items: { type: 'array', minItems: 2, maxItems: 2, items: { type: 'string', pattern: '^\\d{2}:\\d{2}$' } },
} as const;

/** OpenAPI of `schedule`. */
export const scheduleSchema: ApiPropertyOptions = {
  type: 'object',
  required: ['mode'],
  properties: {
    mode: { type: 'string', enum: ['24x7', 'business_hours'] },
    timezone: { type: 'string', nullable: true, example: 'Europe/Berlin' },
    weekly: { type: 'object', properties: Object.fromEntries(WEEKDAYS.map((name) => [name, day])) },
    holidays: {
      type: 'array',
      maxItems: 500,
      items: {
        type: 'object',
        required: ['date'],
        properties: {
          date: { type: 'string', format: 'date' },
          name: { type: 'string', nullable: true },
          recurring: { type: 'boolean' },
        },
      },
    },
  },
  description:
    'When time counts: always, or in these hours of these days (several intervals a day), except on holidays.',
  example: {
    mode: 'business_hours',
    timezone: 'Europe/Berlin',
    weekly: {
      mon: [
        ['09:00', '13:00'],
        ['14:00', '18:00'],
      ],
    },
    holidays: [{ date: '2026-12-25', recurring: true }],
  },
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
