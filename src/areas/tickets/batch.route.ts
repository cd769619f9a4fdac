import { applyDecorators, HttpCode, Post, SetMetadata } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { Needs } from '../../platform/auth/permission';
import { BatchCommentResult, TicketBatchOutcome, BatchTicketResult } from './batch-answer';
import { MAX_BATCH } from './batch-operations';
import { ROUTE_RESOURCE, selectionParameters } from '../../platform/routes/routes';
import { TicketComment } from './comment.entity';
import { ticketResource } from './ticket.resource';

const answer = {
  type: 'object',
  required: ['data'],
  properties: { data: { $ref: getSchemaPath(TicketBatchOutcome) }, meta: { $ref: getSchemaPath('Meta') } },
};

/** `POST /tickets/batch`. Its answer has a shape of its own; `fields` and `expand` apply to each ticket in it, `fields` to comments as far as they have them. */
export function BatchRoute(): MethodDecorator {
  return applyDecorators(
    Needs('tickets.comment'),
    Post('batch'),
    HttpCode(200),
    SetMetadata(ROUTE_RESOURCE, ticketResource),
    ApiExtraModels(TicketBatchOutcome, BatchTicketResult, BatchCommentResult, TicketComment),
    ...selectionParameters(ticketResource),
    ApiOperation({
      summary: `Run up to ${MAX_BATCH} ticket operations`,
      description:
        'Counts as one request. Each operation succeeds or fails for itself (`partial`), or all together (`atomic`), and takes the permission that it takes alone.',
    }),
    ApiResponse({ status: 200, description: 'One result per operation, in order.', schema: answer }),
  );
}
