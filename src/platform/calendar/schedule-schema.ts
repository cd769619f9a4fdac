import { type ApiPropertyOptions, getSchemaPath } from '@nestjs/swagger';
import { declareSchemas } from '../http/declared-schemas';
import { MAX_HOLIDAY_NAME, MAX_HOLIDAYS, MAX_INTERVALS, WEEKDAYS } from './schedule';

const START = '([01]\\d|2[0-3]):[0-5]\\d';

const day = {
  type: 'array',
  maxItems: MAX_INTERVALS,
  items: { type: 'array', minItems: 2, maxItems: 2, items: { type: 'string', pattern: `^(${START}|24:00)$` } },
};

declareSchemas({
  AroundTheClock: {
    type: 'object',
    description: 'Every moment counts.',
    required: ['mode'],
    properties: { mode: { type: 'string', enum: ['24x7'] }, timezone: { type: ['string', 'null'], maxLength: 64 } },
    additionalProperties: false,
  },
  BusinessHours: {
    type: 'object',
    description: 'Only these hours of these days count; a day that is not named has none.',
    required: ['mode', 'timezone', 'weekly'],
    properties: {
      mode: { type: 'string', enum: ['business_hours'] },
      timezone: { type: 'string', minLength: 1, maxLength: 64, description: 'IANA name.' },
      weekly: {
        type: 'object',
        minProperties: 1,
        properties: Object.fromEntries(WEEKDAYS.map((name) => [name, day])),
        additionalProperties: false,
        description: 'Intervals by day, each from its start to its end, which is excluded.',
      },
      holidays: {
        type: 'array',
        maxItems: MAX_HOLIDAYS,
        items: {
          type: 'object',
          required: ['date'],
          properties: {
            date: { type: 'string', format: 'date' },
            name: { type: ['string', 'null'], maxLength: MAX_HOLIDAY_NAME },
            recurring: { type: 'boolean', description: 'It returns each year.' },
          },
          additionalProperties: false,
        },
      },
    },
    additionalProperties: false,
  },
  Schedule: { anyOf: [{ $ref: getSchemaPath('AroundTheClock') }, { $ref: getSchemaPath('BusinessHours') }] },
});

/** OpenAPI of a schedule. */
export const scheduleSchema: ApiPropertyOptions = {
  allOf: [{ $ref: getSchemaPath('Schedule') }],
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
