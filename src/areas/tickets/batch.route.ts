import { applyDecorators, HttpCode, Post, SetMetadata } from '@nestjs/common';
import { ApiOperation, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { MAX_BATCH } from './batch-plan';
import { BATCH_OPERATIONS } from './batch.dto';
import { ROUTE_RESOURCE, selectionParameters } from '../../platform/resource/routes';
import { Ticket } from './ticket.entity';
import { ticketResource } from './ticket.resource';

const integer = { type: 'integer' };
const names = (values: readonly string[]): object => ({ type: 'string', enum: [...values] });

const result = {
  type: 'object',
  required: ['index', 'op', 'status', 'ok'],
  properties: {
    index: { ...integer, description: 'Place of the operation in the request.' },
    ref: { type: 'string' },
    op: names(BATCH_OPERATIONS),
    status: { ...integer, description: 'What the operation alone would have answered; 424 when it was not tried.' },
    ok: { type: 'boolean' },
    id: { ...integer, description: 'The ticket.' },
    etag: { type: 'string' },
    meta: {
      type: 'object',
      properties: { reassigned_from: { ...integer, description: 'Whom a stand-in took it for.' } },
    },
    data: { $ref: getSchemaPath(Ticket), description: 'The ticket afterwards; for `comment` the comment.' },
    error: { type: 'object', additionalProperties: true },
  },
};

const answer = {
  type: 'object',
  required: ['data'],
  properties: {
    data: {
      type: 'object',
      required: ['mode', 'dry_run', 'summary', 'results'],
      properties: {
        mode: names(['partial', 'atomic']),
        dry_run: { type: 'boolean' },
        summary: {
          type: 'object',
          required: ['total', 'succeeded', 'failed', 'skipped'],
          properties: { total: integer, succeeded: integer, failed: integer, skipped: integer },
        },
        results: { type: 'array', items: result },
      },
    },
    meta: { type: 'object', properties: { rate_limit_remaining: integer, request_id: { type: 'string' } } },
  },
};

/** `POST /tickets/batch`. Its answer has a shape of its own; `fields` and `expand` apply to each ticket in it. */
export function BatchRoute(): MethodDecorator {
  return applyDecorators(
    Post('batch'),
    HttpCode(200),
    SetMetadata(ROUTE_RESOURCE, ticketResource),
    ...selectionParameters(ticketResource),
    ApiOperation({
      summary: `Run up to ${MAX_BATCH} ticket operations`,
      description:
        'Counts as one request. Each operation succeeds or fails for itself (`partial`), or all together (`atomic`).',
    }),
    ApiResponse({ status: 200, description: 'One result per operation, in order.', schema: answer }),
  );
}
