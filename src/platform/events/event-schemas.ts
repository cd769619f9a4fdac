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
  return Object.fromEntries(allKinds().map((kind) => [kind.type, { post: delivery(kind) }]));
}

/** The schemas of what is delivered: `Event`, and one for each kind of record. */
export function eventSchemas(): Record<string, object> {
  const byObject = new Map<string, EventKind[]>();
  for (const kind of allKinds()) byObject.set(kind.object, [...(byObject.get(kind.object) ?? []), kind]);
  const own = [...byObject].map(([object, kinds]) => [schemaNameOf(object), eventOf(object, kinds)] as const);
  return { Event: eventSchema, ...Object.fromEntries(own) };
}

/** The bodies of the webhooks, by the name of their schema. */
export function eventBodies(): Record<string, object> {
  const names = [...new Set(allKinds().map(({ object }) => schemaNameOf(object)))];
  return Object.fromEntries(
    names.map((name) => [
      name,
      { required: true, content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } } },
    ]),
  );
}

/** Where the schema of an event's body is found, relative to the API's base. */
export function schemaPath(type: string): string {
  return `/openapi.json#/components/schemas/${schemaNameOf(type.split('.')[0] ?? '')}`;
}

function allKinds(): EventKind[] {
  return eventCatalogue().flatMap(({ events }) => events);
}

/** `KbArticleMessage` of `kb_article`. */
function schemaNameOf(object: string): string {
  return `${object.replace(/(?:^|_)(\w)/g, (_all, letter: string) => letter.toUpperCase())}Message`;
}

function eventOf(object: string, kinds: readonly EventKind[]): object {
  const record = kinds.map(resourceOf).find((resource) => resource !== undefined)?.entity.name;
  const data = record ? { properties: { [object]: { $ref: `#/components/schemas/${record}` } } } : {};
  return {
    allOf: [{ $ref: '#/components/schemas/Event' }],
    type: 'object',
    properties: { type: { type: 'string', enum: kinds.map(({ type }) => type) }, data: { type: 'object', ...data } },
  };
}

function delivery({ type, description, object }: EventKind): object {
  return {
    tags: ['Webhooks'],
    operationId: `webhooks.on.${type}`,
    summary: description,
    requestBody: { $ref: `#/components/requestBodies/${schemaNameOf(object)}` },
    responses: { '2XX': { $ref: '#/components/responses/Received' } },
  };
}
