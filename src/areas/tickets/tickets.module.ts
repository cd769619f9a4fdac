import { Module } from '@nestjs/common';
import { StoreModule } from '../../platform/resource/store.module';
import { historyResource } from './history.resource';
import { ratingResource } from './rating/rating.resource';
import { AttachmentsModule } from '../attachments/attachments.module';
import { ContactsModule } from '../contacts/contacts.module';
import { SlaModule } from '../sla/sla.module';
import { UsersModule } from '../users/users.module';
import { Handovers } from './assigning/handovers';
import { TicketAssigning } from './assigning/ticket-assigning';
import { TicketSharing } from './assigning/ticket-sharing';
import { UnassignedTickets } from './assigning/unassigned-tickets';
import { BatchService } from './batch.service';
import { CommentRedaction } from './comment-redaction';
import { commentResource } from './comment.resource';
import { CommentsController } from './comments.controller';
import { CommentsService } from './comments.service';
import { CommentFiles } from './comment-files';
import { EscalationLine } from './escalation-line';
import { HistoryService } from './history.service';
import { RatingPageController } from './rating/rating-page.controller';
import { RatingPageService } from './rating/rating-page.service';
import { RatingRequest } from './rating/rating-request';
import { RatingsController } from './rating/ratings.controller';
import { RatingsService } from './rating/ratings.service';
import { TicketChanges } from './ticket-changes';
import { TicketFiles } from './ticket-files';
import { TicketIntake } from './ticket-intake';
import { TicketTimers } from './ticket-timers';
import { ticketResource } from './ticket.resource';
import { TicketsController } from './tickets.controller';
import { TicketsService } from './tickets.service';

@Module({
  imports: [
    StoreModule.forFeature(ticketResource, commentResource, historyResource, ratingResource),
    AttachmentsModule,
    ContactsModule,
    SlaModule,
    UsersModule,
  ],
  controllers: [TicketsController, CommentsController, RatingsController, RatingPageController],
  providers: [
    TicketAssigning,
    TicketSharing,
    UnassignedTickets,
    Handovers,
    EscalationLine,
    CommentRedaction,
    CommentFiles,
    TicketFiles,
    TicketIntake,
    TicketChanges,
    TicketsService,
    CommentsService,
    BatchService,
    HistoryService,
    TicketTimers,
    RatingsService,
    RatingPageService,
    RatingRequest,
  ],
  exports: [TicketsService, CommentsService, TicketSharing],
})
export class TicketsModule {}
