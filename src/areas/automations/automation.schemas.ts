import type { ApiPropertyOptions } from '@nestjs/swagger';
import { ACTION, shownActionSchema } from '../../platform/area/action-schema';
import { declareSchemasLater } from '../../platform/http/declared-schemas';
import { actionSchemas } from './action-schemas';

declareSchemasLater(actionSchemas);

/** Actions of one automation. */
export const MAX_ACTIONS = 20;

/** OpenAPI of the actions of an automation; what is possible in detail is told by `GET /automations/definitions`. */
export const actionsSchema: ApiPropertyOptions = {
  type: 'array',
  description:
    'Done in this order. `on_error: "stop"` leaves out the rest when the action fails. Texts may hold variables such as `{{ticket.code}}`.',
  items: ACTION.api,
  example: [{ type: 'add_tags', tags: 'vip' }],
};

/** How answers show actions. */
export const shownActionsSchema = { type: 'array', items: shownActionSchema };
