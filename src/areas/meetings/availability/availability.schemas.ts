const moment = { type: 'string', format: 'date-time' };

const slot = {
  type: 'object',
  required: ['starts_at', 'ends_at', 'local_starts_at', 'local_ends_at', 'host_ids'],
  properties: {
    starts_at: moment,
    ends_at: moment,
    local_starts_at: { ...moment, description: 'In the time zone asked for, with its offset.' },
    local_ends_at: moment,
    host_ids: {
      type: 'array',
      items: { type: 'integer', format: 'int64' },
      description: 'Who is free then; with `collective` everybody who takes part.',
    },
    seats_left: { type: 'integer', description: 'With types of more than one seat: how many can still come.' },
  },
};

/** OpenAPI of the answer of `GET /meetings/availability`. */
export const availabilitySchema = {
  type: 'object',
  required: ['data'],
  properties: {
    data: {
      type: 'object',
      required: ['timezone', 'from', 'to', 'duration_minutes', 'slots', 'days'],
      properties: {
        timezone: { type: 'string', example: 'Europe/Berlin' },
        from: moment,
        to: moment,
        duration_minutes: { type: 'integer' },
        slots: { type: 'array', items: slot },
        days: {
          type: 'object',
          additionalProperties: { type: 'array', items: moment },
          description: 'The `local_starts_at` of the slots by local date.',
          example: { '2026-10-20': ['2026-10-20T09:00:00.000+02:00'] },
        },
      },
    },
  },
};
