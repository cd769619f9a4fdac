import { Body, Controller, Get } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Id } from '../../platform/http/id';
import { ClaimsLate } from '../../platform/idempotency/claims-late';
import type { ListResult, SingleResult } from '../../platform/http/results';
import { createdRecord, type ExpectedVersions } from '../../platform/resource/etag';
import type { ListParams } from '../../platform/resource/reader';
import {
  ActionRoute,
  CreateRoute,
  DeleteRoute,
  IfMatch,
  ListQuery,
  ListRoute,
  ReadRoute,
  UpdateRoute,
} from '../../platform/routes/routes';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { SlaDetail } from '../sla/sla-answer';
import { SlaDetailService } from '../sla/sla-detail.service';
import { AssignmentReason } from './assigning/assignment-reason';
import { TicketBatch } from './batch.dto';
import { BatchRoute } from './batch.route';
import { BatchService } from './batch.service';
import { historyResource } from './history.resource';
import { HistoryService } from './history.service';
import { Merging } from './merging/merging.service';
import { AssignTicket, CreateTicket, EscalateTicket, MergeTicket, UpdateTicket } from './ticket.dto';
import { Ticket } from './ticket.entity';
import { ticketResource } from './ticket.resource';
import { TicketsService } from './tickets.service';
import { AnswerOf } from '../../platform/http/answer-members';

@ApiTags('Tickets')
@ApiExtraModels(AssignmentReason)
@Controller('tickets')
export class TicketsController {
  constructor(
    @InjectStore(Ticket) private readonly records: Store<Ticket>,
    private readonly tickets: TicketsService,
    private readonly merging: Merging,
    private readonly batches: BatchService,
    private readonly history: HistoryService,
    private readonly sla: SlaDetailService,
  ) {}

  @ListRoute(ticketResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @ClaimsLate(createdRecord(ticketResource))
  @CreateRoute(ticketResource)
  create(@Body() body: CreateTicket): Promise<SingleResult> {
    return this.tickets.create(body);
  }

  @BatchRoute()
  batch(@Body() body: TicketBatch): Promise<SingleResult> {
    return this.batches.run(body);
  }

  @ReadRoute(ticketResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @UpdateRoute(ticketResource)
  update(@Id() id: number, @Body() body: UpdateTicket, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.tickets.update(id, body, expected);
  }

  @DeleteRoute(ticketResource)
  remove(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.tickets.remove(id, expected);
  }

  @ActionRoute(ticketResource, ':id/assign', {
    summary: 'Assign a ticket',
    description: 'To a user, to nobody, or by a strategy to a member of a team. Why it came to whom is in its history.',
  })
  assign(@Id() id: number, @Body() body: AssignTicket, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.tickets.assign(id, body, expected);
  }

  @ActionRoute(ticketResource, ':id/escalate', {
    summary: 'Escalate a ticket',
    description: 'One level and one priority up, to whoever is next in line.',
  })
  escalate(
    @Id() id: number,
    @Body() body: EscalateTicket,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.tickets.escalate(id, body, expected);
  }

  @ActionRoute(ticketResource, ':id/reopen', { summary: 'Reopen a resolved or closed ticket' })
  reopen(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.tickets.reopen(id, expected);
  }

  @ActionRoute(ticketResource, ':id/merge', {
    summary: 'Merge a ticket into another',
    description:
      'The ticket closes. The other takes over its description and its comments, followers, links and parts; its requester gets copies from then on.',
  })
  merge(@Id() id: number, @Body() body: MergeTicket, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.merging.merge(id, body, expected);
  }

  @Get(':id/sla')
  @ApiOperation({ summary: 'Get the SLA clocks of a ticket', description: 'As they are at this moment.' })
  @AnswerOf(SlaDetail, { description: 'Policy, clocks and their history.' })
  readSla(@Id() id: number): Promise<SlaDetail> {
    return this.sla.of(id);
  }

  @ListRoute(historyResource, {
    path: ':id/history',
    summary: 'List what happened to a ticket',
    description:
      'Field by field, newest first, with why it came to whom (`reason`); also after the ticket was deleted.',
  })
  listHistory(@Id() id: number, @ListQuery() params: ListParams): Promise<ListResult> {
    return this.history.of(id, params);
  }
}
