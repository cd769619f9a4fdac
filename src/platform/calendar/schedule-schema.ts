import type { ApiPropertyOptions } from '@nestjs/swagger';
import { WEEKDAYS } from './schedule';

const day = {
  type: 'array',
  items: { type: 'array', minItems: 2, maxItems: 2, items: { type: 'string', pattern: '^\\d{2}:\\d{2}$' } },
} as const;

/** OpenAPI of a schedule. */
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
