import type { Schema } from './document';

const integer: Schema = { type: 'integer' };
const url: Schema = { type: 'string', format: 'uri' };
const urlOrNull: Schema = { type: ['string', 'null'], format: 'uri' };

/**
 * Nothing of this name is ever answered: by it the types of openapi-fetch know that the sparse answer is not what a
 * request without `fields` gets, so that ordinary answers keep their ordinary type, without a cast.
 */
const mark: Record<string, Schema> = {
  $write: { default: null, description: 'Never there; it keeps this type out of the way of typed clients.' },
};

/** Schemas that answers of every resource share. */
export const sharedSchemas: Readonly<Record<string, Schema>> = {
  Meta: {
    type: 'object',
    description: 'What belongs to the answer rather than to the record.',
    properties: { rate_limit_remaining: { ...integer, description: 'Requests left in this minute.' } },
    additionalProperties: true,
  },
  ListMeta: {
    type: 'object',
    description: 'Where the page is within the list.',
    required: ['total', 'limit', 'offset', 'has_more'],
    properties: {
      total: { ...integer, description: 'Records that match, on all pages.' },
      limit: integer,
      offset: integer,
      has_more: { type: 'boolean' },
    },
    additionalProperties: true,
  },
  PageLinks: {
    type: 'object',
    description: 'Addresses of the neighbouring pages, with every parameter of the request.',
    required: ['first', 'next', 'prev', 'last'],
    properties: { first: url, next: urlOrNull, prev: urlOrNull, last: url },
  },
  Table: {
    description:
      'The list as a table, for `Accept: text/csv` (RFC 4180, UTF-8; with `; bom=true` or `; header=absent` where that is wanted) or that of a workbook: a row for each record of all pages, or of the one that was asked for, with the members that `fields` names as columns, members of an expanded record as `relation.member`. Lists and objects stand as JSON; a text that a spreadsheet would take for a formula has an apostrophe before it in CSV.',
    properties: mark,
    if: {},
    then: { type: 'string' },
  },
  SparseRecord: {
    type: 'object',
    description: 'A record of which `fields` named the members.',
    properties: mark,
  },
  SparseAnswer: {
    type: 'object',
    description:
      'The answer to a request with `fields`: the same envelope, in which `data` has only the members that were named, each as in the whole record.',
    properties: mark,
    if: {},
    then: { required: ['data'], properties: { data: { type: 'object' } } },
  },
  SparseList: {
    type: 'object',
    description:
      'The answer to a list with `fields`, or with a view that names columns: the same envelope, in which each record has only the members that were named, each as in the whole record.',
    properties: mark,
    if: {},
    then: {
      required: ['data', 'meta', 'links'],
      properties: {
        data: { type: 'array', items: { type: 'object' } },
        meta: { $ref: '#/components/schemas/ListMeta' },
        links: { $ref: '#/components/schemas/PageLinks' },
      },
    },
  },
};
