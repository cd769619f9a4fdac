import type { ApiPropertyOptions } from '@nestjs/swagger';

const text = { type: 'string' };

/** OpenAPI schemas of what an automation is made of; what is possible in detail is told by `GET /automations/definitions`. */
export const triggerSchema: ApiPropertyOptions = {
  description:
    'The name of an event, or an object. `schedule` needs `cron` (five fields) and takes `timezone` and `query`, the filters of `GET /tickets`.',
  oneOf: [
    { ...text, example: 'ticket.created' },
    {
      type: 'object',
      required: ['event'],
      properties: {
        event: { ...text, example: 'ticket.created' },
        filters: {
          type: 'object',
          additionalProperties: true,
          description: 'Field to the value (or list of values) that it must have.',
        },
        cron: { ...text, example: '0 9 * * 1-5' },
        timezone: { ...text, example: 'Europe/Rome' },
        query: { type: 'object', additionalProperties: true },
      },
    },
  ],
  example: 'ticket.created',
};

export const conditionsSchema: ApiPropertyOptions = {
  type: 'object',
  description:
    '`all` must hold and, where there are any, one of `any`. Members are `{field, operator, value}` or groups: `{all}`, `{any}`, `{not}`.',
  properties: {
    all: { type: 'array', items: { type: 'object', additionalProperties: true } },
    any: { type: 'array', items: { type: 'object', additionalProperties: true } },
  },
  example: { all: [{ field: 'priority', operator: 'in', value: ['high', 'urgent'] }] },
};

export const actionsSchema: ApiPropertyOptions = {
  type: 'array',
  minItems: 1,
  maxItems: 20,
  description:
    'Done in this order. `on_error: "stop"` leaves out the rest when the action fails. Texts may hold variables such as `{{ticket.code}}`.',
  items: {
    type: 'object',
    required: ['type'],
    properties: { type: { ...text, example: 'add_tags' }, on_error: { ...text, enum: ['continue', 'stop'] } },
    additionalProperties: true,
  },
  example: [{ type: 'add_tags', tags: 'vip' }],
};
