import { Body, Controller, Get, SetMetadata } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiQuery, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { Needs } from '../../../platform/auth/permission';
import { Id } from '../../../platform/http/id';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import type { ListParams } from '../../../platform/resource/reader';
import {
  ActionRoute,
  CreateRoute,
  IfMatch,
  ListQuery,
  ROUTE_RESOURCE,
  selectionParameters,
} from '../../../platform/routes/routes';
import { listSchema } from '../../../platform/routes/schema-names';
import { ResolveTicket } from '../incidents/resolve.dto';
import { Resolving } from '../incidents/resolving.service';
import { Ticket } from '../ticket.entity';
import { ticketResource } from '../ticket.resource';
import { TICKET_STATUSES } from '../ticket-values';
import { Deescalation } from './deescalation.service';
import { DeescalateTicket } from './deescalation.dto';
import { FollowUpTicket } from './follow-up.dto';
import { FollowUps } from './follow-ups.service';
import { DEFAULT_SIMILAR, MAX_SIMILAR, SimilarTickets } from './similar-tickets.service';

const similar = listSchema({
  allOf: [
    { $ref: getSchemaPath(Ticket) },
    {
      type: 'object',
      required: ['similarity'],
      properties: {
        similarity: { type: 'number', minimum: 0, maximum: 1, description: 'How much they have in common.' },
      },
    },
  ],
});

@ApiTags('Tickets')
@Controller('tickets/:id')
export class RelationsController {
  constructor(
    private readonly followUps: FollowUps,
    private readonly similarTickets: SimilarTickets,
    private readonly deescalation: Deescalation,
    private readonly resolving: Resolving,
  ) {}

  @Needs('tickets.create')
  @CreateRoute(ticketResource, {
    path: 'follow-up',
    summary: 'Follow up a closed ticket',
    description:
      'Makes a ticket that goes on with what a closed one was about (`followup_of_id`), like it in whatever the body does not name: requester, subject, type, company, category, team, tags, skills, assets, copies and custom fields.',
  })
  followUp(@Id() id: number, @Body() body: FollowUpTicket): Promise<SingleResult> {
    return this.followUps.create(id, body);
  }

  @Get('similar')
  @SetMetadata(ROUTE_RESOURCE, ticketResource)
  @ApiOperation({
    summary: 'List tickets that are like a ticket',
    description:
      'Most similar first, by the words of subject and description: the rarer a word that both have, the more it counts.',
  })
  @ApiExtraModels(Ticket)
  @ApiQuery({
    name: 'limit',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: MAX_SIMILAR },
    description: `How many, default ${DEFAULT_SIMILAR}.`,
  })
  @ApiQuery({
    name: 'status',
    required: false,
    schema: { type: 'array', items: { type: 'string', enum: [...TICKET_STATUSES] } },
    explode: false,
    description: 'Any of these.',
  })
  @SimilarSelection()
  @ApiResponse({
    status: 200,
    description: 'Tickets, each with its `similarity`; with `fields` as sparse as they were asked for.',
    schema: { anyOf: [similar, { $ref: getSchemaPath('SparseList') }] },
  })
  similar(@Id() id: number, @ListQuery() params: ListParams): Promise<ListResult> {
    return this.similarTickets.to(id, params);
  }

  @ActionRoute(ticketResource, 'resolve', {
    summary: 'Resolve a ticket',
    description:
      'With a last word, and of a problem with its open incidents, which follow in the background: `meta.incidents` says how many, `ticket.incidents_resolved` when it is done.',
  })
  resolve(@Id() id: number, @Body() body: ResolveTicket, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.resolving.resolve(id, body, expected);
  }

  @ActionRoute(ticketResource, 'deescalate', {
    summary: 'De-escalate a ticket',
    description: 'One level down, and back to the priority that it had before the last escalation.',
  })
  deescalate(
    @Id() id: number,
    @Body() body: DeescalateTicket,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.deescalation.run(id, body, expected);
  }
}

function SimilarSelection(): MethodDecorator {
  return (...method) => {
    for (const parameter of selectionParameters(ticketResource)) parameter(...method);
  };
}
