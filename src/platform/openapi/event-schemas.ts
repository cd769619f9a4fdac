import { pascal } from './naming';
import { eventCatalogue, type EventKind } from '../events/event-catalogue';
import { resourceOfObject } from '../resource/resource';
import { resourceOf } from './event-sample';

const text = { type: 'string' };
const integer = { type: 'integer', format: 'int64' };
const named = { type: text, id: { ...integer, type: ['integer', 'null'] }, name: text };

/** Who brought an event about. */
export const actorSchema = {
  type: 'object',
  required: ['type', 'id', 'name'],
  properties: {
    ...named,
    via: {
      type: 'object',
      required: ['type', 'id', 'name'],
      properties: { ...named, id: integer },
      description: 'The token that said on whose behalf it acts.',
    },
  },
};

/** What it goes back to. */
export const causationSchema = {
  type: 'object',
  required: ['root_event_id', 'depth', 'request_id', 'automation_ids'],
  properties: {
    root_event_id: text,
    depth: { type: 'integer' },
    request_id: { type: ['string', 'null'], description: 'null where no request brought it about.' },
    automation_ids: { type: 'array', items: integer },
  },
};

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
    sequence: {
      type: 'object',
      required: ['id', 'position'],
      properties: { id: text, position: { type: 'integer' } },
    },
    actor: actorSchema,
    causation: causationSchema,
    data: {
      type: 'object',
      required: ['object', 'id'],
      properties: { object: text, id: integer },
      additionalProperties: true,
    },
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

/** The `webhooks` member of the OpenAPI document: one entry for each kind of record, whose events have one body. */
export function eventWebhooks(): Record<string, object> {
  return Object.fromEntries([...kindsByObject()].map(([object, kinds]) => [object, { post: delivery(object, kinds) }]));
}

/** The schemas of what is delivered: `Event`, and one for each kind of record. */
export function eventSchemas(): Record<string, object> {
  const own = [...kindsByObject()].map(([object, kinds]) => [schemaNameOf(object), eventOf(object, kinds)] as const);
  return { Event: eventSchema, ...Object.fromEntries(own) };
}

/** Where the schema of an event's body is found, relative to the API's base. */
export function schemaPath({ object }: EventKind): string {
  return `/openapi.json#/components/schemas/${schemaNameOf(object)}`;
}

/** Every event, by the record that it tells of. */
function kindsByObject(): Map<string, EventKind[]> {
  const byObject = new Map<string, EventKind[]>();
  for (const kind of eventCatalogue().flatMap(({ events }) => events))
    byObject.set(kind.object, [...(byObject.get(kind.object) ?? []), kind]);
  return byObject;
}

/** `KbArticleMessage` of `kb_article`. */
function schemaNameOf(object: string): string {
  return `${pascal(object)}Message`;
}

function eventOf(object: string, kinds: readonly EventKind[]): object {
  const record = kinds.map(resourceOf).find((resource) => resource !== undefined)?.entity.name;
  const data = record ? { properties: { [object]: { $ref: `#/components/schemas/${record}` } } } : {};
  return {
    allOf: [{ $ref: '#/components/schemas/Event' }],
    type: 'object',
    properties: {
      type: { type: 'string', enum: kinds.flatMap(({ type, aliases }) => [type, ...aliases]) },
      data: { type: 'object', ...data },
    },
  };
}

function delivery(object: string, kinds: readonly EventKind[]): object {
  return {
    tags: ['Webhooks'],
    operationId: `webhooks.on.${object}`,
    summary: `Events of ${resourceOfObject(object)?.called.one ?? object.replaceAll('_', ' ')}: ${kinds.map(({ type }) => type.split('.')[1]).join(', ')}`,
    description: kinds.map(({ type, description }) => `- \`${type}\`: ${description}`).join('\n'),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${schemaNameOf(object)}` } } },
    },
    responses: { '2XX': { $ref: '#/components/responses/Received' } },
  };
}
