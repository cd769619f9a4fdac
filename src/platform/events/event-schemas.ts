import { eventCatalogue, type EventKind } from './event-catalogue';
import { resourceOf } from './event-sample';

const text = { type: 'string' };
const integer = { type: 'integer', format: 'int64' };

/** What every delivery has in common; `Event` among the components of the OpenAPI document. */
export const eventSchema = {
  type: 'object',
  required: [
    'id',
    'type',
    'api_version',
    'timestamp',
    'workspace_id',
    'sequence',
    'actor',
    'causation',
    'data',
    'changes',
  ],
  properties: {
    id: { ...text, example: 'evt_01976f7e1d1c7d3c8a1b2c3d4e5f6071' },
    type: text,
    api_version: { ...text, enum: ['v1'] },
    timestamp: { ...text, format: 'date-time' },
    workspace_id: integer,
    sequence: { type: 'object', properties: { id: text, position: { type: 'integer' } } },
    actor: { type: 'object', properties: { type: text, id: { type: ['integer', 'null'] }, name: text } },
    causation: {
      type: 'object',
      properties: {
        root_event_id: text,
        depth: { type: 'integer' },
        request_id: text,
        automation_ids: { type: 'array', items: integer },
      },
    },
    data: { type: 'object', properties: { object: text, id: integer }, additionalProperties: true },
    changes: {
      type: ['object', 'null'],
      additionalProperties: { type: 'object', properties: { from: {}, to: {} } },
      description: 'From and to of each changed field; null when something was created or deleted.',
    },
    truncated: {
      type: 'array',
      items: text,
      description: 'Fields cut short because the body would exceed 256 KB.',
    },
  },
} as const;

/** The `webhooks` member of the OpenAPI document: one entry for each event. */
export function eventWebhooks(): Record<string, object> {
  const kinds = eventCatalogue().flatMap(({ events }) => events);
  return Object.fromEntries(kinds.map((kind) => [kind.type, { post: delivery(kind) }]));
}

/** Where the schema of an event's body is found, relative to the API's base. */
export function schemaPath(type: string): string {
  return `/openapi.json#/webhooks/${type}/post/requestBody/content/application~1json/schema`;
}

function delivery(kind: EventKind): object {
  const record = resourceOf(kind)?.entity.name;
  const data = record ? { properties: { [kind.object]: { $ref: `#/components/schemas/${record}` } } } : {};
  const schema = {
    allOf: [{ $ref: '#/components/schemas/Event' }],
    properties: { type: { const: kind.type }, data: { type: 'object', ...data } },
  };
  return {
    tags: ['Webhooks'],
    operationId: `on_${kind.type.replace('.', '_')}`,
    summary: kind.description,
    security: [],
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { '2XX': { description: 'Received; anything else is tried again.' } },
  };
}
