import { getSchemaPath } from '@nestjs/swagger';
import { declareSchemas } from '../../platform/http/declared-schemas';
import { TagChange } from './batch-tags.dto';
import { BATCH_OPERATIONS, type BatchOperationName } from './batch.dto';
import { CreateComment } from './comment.dto';
import { TicketComment } from './comment.entity';
import { AssignTicket, CreateTicket, EscalateTicket, MergeTicket, UpdateTicket } from './ticket.dto';
import { Ticket } from './ticket.entity';

type Body = new () => object;

const id = {
  anyOf: [
    { type: 'integer', format: 'int64', minimum: 1 },
    { type: 'string', pattern: '^\\$[\\w-]{1,64}$' },
  ],
};
const ref = { type: 'string', pattern: '^[\\w-]{1,64}$' };
const named = (values: readonly string[]): object => ({ type: 'string', enum: [...values] });

/** One operation on tickets that exist, by `id` or `ids`. */
function on(ops: readonly BatchOperationName[], body: Body | null, required = body !== null): object {
  return {
    type: 'object',
    required: ['op', ...(required ? ['data'] : [])],
    description: 'Needs either `id` or `ids`.',
    properties: {
      op: named(ops),
      id,
      ids: { type: 'array', minItems: 1, maxItems: 50, items: id },
      ref,
      ...(body ? { data: { $ref: getSchemaPath(body) } } : {}),
      if_match: { type: 'string' },
    },
    additionalProperties: false,
  };
}

/** The schema of each operation by the name of its component, and the operations that have it. */
const OPERATIONS: readonly (readonly [name: string, ops: readonly BatchOperationName[], schema: object])[] = [
  [
    'BatchCreate',
    ['create'],
    {
      type: 'object',
      required: ['op', 'data'],
      properties: {
        op: named(['create']),
        ref: { ...ref, description: 'Name of the ticket that is made; later operations say `$name`.' },
        data: { $ref: getSchemaPath(CreateTicket) },
      },
      additionalProperties: false,
    },
  ],
  ['BatchUpdate', ['update'], on(['update'], UpdateTicket)],
  ['BatchAssign', ['assign'], on(['assign'], AssignTicket)],
  ['BatchEscalate', ['escalate'], on(['escalate'], EscalateTicket, false)],
  ['BatchComment', ['comment'], on(['comment'], CreateComment)],
  ['BatchTags', ['add_tags', 'remove_tags'], on(['add_tags', 'remove_tags'], TagChange)],
  ['BatchMerge', ['merge'], on(['merge'], MergeTicket)],
  ['BatchPlain', ['unassign', 'reopen', 'delete'], on(['unassign', 'reopen', 'delete'], null)],
];

const results = (ops: readonly string[], record: Body): object => ({
  type: 'object',
  required: ['index', 'op', 'status', 'ok'],
  properties: {
    index: { type: 'integer', description: 'Place of the operation in the request.' },
    ref: { type: 'string' },
    op: named(ops),
    status: {
      type: 'integer',
      description: 'What the operation alone would have answered; 424 when it was not tried.',
    },
    ok: { type: 'boolean' },
    id: { type: 'integer', format: 'int64', description: 'The ticket.' },
    etag: { type: 'string' },
    meta: {
      type: 'object',
      properties: { reassigned_from: { type: 'integer', description: 'Whom a stand-in took it for.' } },
    },
    data: { anyOf: [{ $ref: getSchemaPath(record) }, { $ref: getSchemaPath('SparseRecord') }] },
    error: { $ref: getSchemaPath('Problem') },
  },
});

declareSchemas({
  ...Object.fromEntries(OPERATIONS.map(([name, , schema]) => [name, schema])),
  BatchOperation: {
    oneOf: OPERATIONS.map(([name]) => ({ $ref: getSchemaPath(name) })),
    discriminator: {
      propertyName: 'op',
      mapping: Object.fromEntries(OPERATIONS.flatMap(([name, ops]) => ops.map((op) => [op, getSchemaPath(name)]))),
    },
  },
  BatchTicketResult: results(
    BATCH_OPERATIONS.filter((op) => op !== 'comment'),
    Ticket,
  ),
  BatchCommentResult: results(['comment'], TicketComment),
});

/** Schema of the answer of a batch. */
export const batchAnswerSchema = {
  type: 'object',
  required: ['data'],
  properties: {
    data: {
      type: 'object',
      required: ['mode', 'dry_run', 'summary', 'results'],
      properties: {
        mode: named(['partial', 'atomic']),
        dry_run: { type: 'boolean' },
        summary: {
          type: 'object',
          required: ['total', 'succeeded', 'failed', 'skipped'],
          properties: Object.fromEntries(
            ['total', 'succeeded', 'failed', 'skipped'].map((name) => [name, { type: 'integer' }]),
          ),
        },
        results: {
          type: 'array',
          items: {
            oneOf: [{ $ref: getSchemaPath('BatchTicketResult') }, { $ref: getSchemaPath('BatchCommentResult') }],
          },
        },
      },
    },
    meta: { $ref: getSchemaPath('Meta') },
  },
};
