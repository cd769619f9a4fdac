import type { Shape } from '../validation/shapes';
import { ON_ERROR } from './rules';

/** One action in a body; what each type takes, the area of automations declares and checks. */
export const ACTION: Shape = { api: { $ref: '#/components/schemas/Action' }, find: () => undefined };

/** How answers show an action: secrets are left out, and templates stand as they were written. */
export const shownActionSchema = {
  type: 'object' as const,
  required: ['type'],
  properties: {
    type: { type: 'string' as const },
    on_error: { type: 'string' as const, enum: [...ON_ERROR] },
  },
  additionalProperties: true,
};
