import { type ApiPropertyOptions, getSchemaPath } from '@nestjs/swagger';
import { actionSchema, shownActionSchema } from '../../platform/area/action-schema';
import { declareSchemas, declareSchemasLater } from '../../platform/http/declared-schemas';
import { actionSchemas } from './action-schemas';

const text = { type: 'string' };

declareSchemas({
  EventTrigger: {
    type: 'object',
    description: 'Starts when such an event happens to a record of which `filters` hold.',
    required: ['event'],
    properties: {
      event: { ...text, minLength: 1, example: 'ticket.created' },
      filters: {
        type: 'object',
        additionalProperties: true,
        maxProperties: 20,
        description: 'Field to the value (or list of values) that it must have.',
      },
    },
    additionalProperties: false,
  },
  ScheduleTrigger: {
    type: 'object',
    description: 'Starts at these times for every ticket that `query` finds.',
    required: ['event', 'cron'],
    properties: {
      event: { ...text, enum: ['schedule'] },
      cron: { ...text, minLength: 9, maxLength: 120, description: 'Five fields.', example: '0 9 * * 1-5' },
      timezone: { ...text, description: 'IANA name; that of the workspace unless given.', example: 'Europe/Rome' },
      query: { type: 'object', additionalProperties: true, description: 'Filters of `GET /tickets`.' },
    },
    additionalProperties: false,
  },
});

declareSchemasLater(actionSchemas);

const eitherTrigger = [{ $ref: getSchemaPath('ScheduleTrigger') }, { $ref: getSchemaPath('EventTrigger') }];

/** OpenAPI schemas of what an automation is made of; what is possible in detail is told by `GET /automations/definitions`. */
export const triggerSchema: ApiPropertyOptions = {
  description: 'The name of an event, or an object.',
  anyOf: [{ ...text, minLength: 1 }, ...eitherTrigger],
  example: 'ticket.created',
};

/** How answers show a trigger. */
export const shownTriggerSchema = { anyOf: eitherTrigger };

export const actionsSchema: ApiPropertyOptions = {
  type: 'array',
  minItems: 1,
  maxItems: 20,
  description:
    'Done in this order. `on_error: "stop"` leaves out the rest when the action fails. Texts may hold variables such as `{{ticket.code}}`.',
  items: actionSchema,
  example: [{ type: 'add_tags', tags: 'vip' }],
};

/** How answers show actions. */
export const shownActionsSchema = { type: 'array', items: shownActionSchema };
