/** OpenAPI of one action in a body; the area that provides actions declares what each type takes. */
export const actionSchema = { $ref: '#/components/schemas/Action' };

/** How answers show an action: secrets are left out, and templates stand as they were written. */
export const shownActionSchema = {
  type: 'object' as const,
  required: ['type'],
  properties: {
    type: { type: 'string' as const },
    on_error: { type: 'string' as const, enum: ['continue', 'stop'] },
  },
  additionalProperties: true,
};
