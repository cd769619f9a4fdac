const integer = { type: 'integer' };
const optional = { ...integer, nullable: true };
const text = { type: 'string', nullable: true };

const answer = (properties: Record<string, object>): Record<string, unknown> => ({
  type: 'object',
  required: ['data'],
  properties: { data: { type: 'object', required: Object.keys(properties), properties } },
});

const queued = {
  queued: { ...integer, description: 'At most 10,000.' },
  complete: { type: 'boolean', description: 'false: there is more; call again.' },
};

export const testSchema = answer({
  status: { type: 'string', enum: ['succeeded', 'failed'] },
  response_status: optional,
  response_body: { ...text, description: 'At most the first 4 KB.' },
  duration_ms: integer,
  error: text,
});

export const statsSchema = answer({
  success: integer,
  failed: integer,
  pending: { ...integer, description: 'Waiting for their first or next attempt.' },
  p50_ms: { ...optional, description: 'Half of the last attempts took no longer.' },
  p95_ms: optional,
  consecutive_failures: integer,
});

export const queuedSchema = answer(queued);

export const replayedSchema = answer({
  ...queued,
  next_since: { ...text, format: 'date-time', description: 'The `since` of the next call when there is more.' },
});
