import { allResources, type Resource, resourceIfAny } from '../resource/resource';
import type { RelationSpec } from '../resource/relation-spec';
import { answerName, fieldName, listName, relationName } from '../routes/schema-names';
import { type Document, mapped, ref, type Schema, schemaName } from './document';

/** Keywords that bind what is written and mean nothing in an answer. */
const WRITE_ONLY = [
  'default',
  'readOnly',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minimum',
  'maximum',
  'minProperties',
  'maxProperties',
  'propertyNames',
];

const RELATIONS = 'What is not required comes with `expand`.';

const ID: Schema = { type: 'integer', format: 'int64', minimum: 1 };

/**
 * Gives each resource the schemas of its answers: the record as it is always complete (every column required, the
 * relations that `expand` embeds optional), the names that `fields` takes, and the envelopes of one record and of a page.
 */
export function addReadSchemas({ components }: Document): void {
  const { schemas } = components;
  for (const resource of allResources()) {
    const raw = schemas[resource.entity.name];
    if (!raw) continue;
    schemas[resource.entity.name] = record(resource, raw, schemas);
    schemas[fieldName(resource)] = {
      type: 'string',
      enum: [...resource.columns.map(({ name }) => name), ...Object.keys(resource.expand)],
    };
    const relations = Object.keys(resource.expand);
    if (relations.length > 0) schemas[relationName(resource)] = { type: 'string', enum: relations };
    const data = ref('schemas', resource.entity.name);
    schemas[answerName(resource)] = {
      type: 'object',
      required: ['data'],
      properties: { data, meta: ref('schemas', 'Meta') },
    };
    schemas[listName(resource)] = {
      type: 'object',
      required: ['data', 'meta', 'links'],
      properties: {
        data: { type: 'array', items: data },
        meta: ref('schemas', 'ListMeta'),
        links: ref('schemas', 'PageLinks'),
      },
    };
  }
}

function record(resource: Resource, raw: Schema, schemas: Record<string, Schema>): Schema {
  const properties: Record<string, Schema> = {};
  for (const column of resource.columns) {
    const given = raw.properties?.[column.name] ?? {};
    if (column.kind === 'tags')
      properties[column.name] = {
        type: 'string',
        ...worded(given),
        ...(given.example === undefined ? {} : { example: given.example }),
      };
    else if (column.name === 'id' && column.kind === 'integer') properties.id = ID;
    else if (column.unset) properties[column.name] = whole(given, schemas);
    else properties[column.name] = column.shown ? { ...worded(given), ...column.shown } : answered(given);
  }
  const required = Object.keys(properties);
  for (const [name, relation] of Object.entries(resource.expand)) Object.assign(properties, embedded(name, relation));
  const more = required.length === Object.keys(properties).length ? {} : { description: RELATIONS };
  return { type: 'object', ...more, required, properties };
}

/** A member that is answered whole, whatever of it is stored: every member of its class is there. */
function whole(given: Schema, schemas: Record<string, Schema>): Schema {
  const name = schemaName(given.allOf?.[0] ?? given) ?? '';
  const { properties = {}, ...rest } = answered(schemas[name] ?? {});
  schemas[`${name}Read`] = { ...rest, required: Object.keys(properties), properties };
  return { ...ref('schemas', `${name}Read`), ...worded(given) };
}

function worded({ description }: Schema): Schema {
  return description === undefined ? {} : { description };
}

/** A schema as answers keep it. */
export function answered(schema: Schema): Schema {
  return mapped(schema, (member) => {
    // A map of properties may have members of these names; only schemas lose keywords.
    if (!('type' in member || 'enum' in member || 'default' in member || 'readOnly' in member)) return member;
    if (typeof member.type === 'object' && !Array.isArray(member.type)) return member;
    return Object.fromEntries(Object.entries(member).filter(([name, value]) => keeps(name, value)));
  });
}

function keeps(name: string, value: unknown): boolean {
  return !WRITE_ONLY.includes(name) || (typeof value === 'object' && !['default', 'propertyNames'].includes(name));
}

/** What `expand` adds to a record. */
function embedded(name: string, relation: RelationSpec): Record<string, Schema> {
  if ('sql' in relation) return { [name]: relation.schema };
  const target = resourceIfAny('one' in relation ? relation.one : relation.many);
  if (!target) return {};
  const entity = ref('schemas', target.entity.name);
  if ('one' in relation) return { [name]: { anyOf: [entity, { type: 'null' }] } };
  return {
    [name]: { type: 'array', items: entity, description: `The newest ${relation.limit}.` },
    [`${name}_truncated`]: { type: 'boolean', description: 'Whether there are more.' },
  };
}
