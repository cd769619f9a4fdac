import { getSchemaPath } from '@nestjs/swagger';
import { SPARSE_ANSWER } from '../http/sparse-answer';
import type { Resource } from '../resource/resource';

/** Name of the schema that lists what `fields` takes: `TicketField`. */
export function fieldName(resource: Resource): string {
  return `${resource.entity.name}Field`;
}

/** Name of the schema that lists what `expand` takes: `TicketRelation`. */
export function relationName(resource: Resource): string {
  return `${resource.entity.name}Relation`;
}

/** Name of the schema of an answer with one record: `TicketAnswer`. */
export function answerName(resource: Resource): string {
  return `${resource.entity.name}Answer`;
}

/** Name of the schema of an answer with a page of records: `TicketList`. */
export function listName(resource: Resource): string {
  return `${resource.entity.name}List`;
}

/** Schema of an answer with one record: whole, or with `fields` sparse. */
export function answerSchema(resource: Resource): Record<string, unknown> {
  return eitherOf(answerName(resource), SPARSE_ANSWER);
}

/** Schema of an answer with a page: of whole records, or with `fields` of sparse ones. */
export function pageSchema(resource: Resource): Record<string, unknown> {
  return eitherOf(listName(resource), 'SparseList');
}

/** The envelope of a list of such items. */
export function listSchema(items: object): Record<string, unknown> {
  return {
    type: 'object',
    required: ['data', 'meta', 'links'],
    properties: {
      data: { type: 'array', items },
      meta: { $ref: getSchemaPath('ListMeta') },
      links: { $ref: getSchemaPath('PageLinks') },
    },
  };
}

function eitherOf(whole: string, sparse: string): Record<string, unknown> {
  return { anyOf: [{ $ref: getSchemaPath(whole) }, { $ref: getSchemaPath(sparse) }] };
}
