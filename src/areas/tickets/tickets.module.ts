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
import { TicketDuties } from './assigning/ticket-duties';
import { TicketSharing } from './assigning/ticket-sharing';
import { UnassignedTickets } from './assigning/unassigned-tickets';
import { BatchService } from './batch.service';
import { CommentRedaction } from './comment-redaction';
import { commentResource } from './comment.resource';
import { CommentWords } from './comment-words.service';
import { CommentsController } from './comments.controller';
import { CommentsService } from './comments.service';
import { CommentFiles } from './comment-files';
import { followerResource } from './followers/follower.resource';
import { FollowersController } from './followers/followers.controller';
import { FollowersService } from './followers/followers.service';
import { Mentioning } from './followers/mentioning.service';
import { Participants } from './followers/participants.service';
import { IncidentResolution } from './incidents/incident-resolution';
import { Resolving } from './incidents/resolving.service';
import { Merging } from './merging/merging.service';
import { EscalationLine } from './escalation-line';
import { HistoryService } from './history.service';
import { RatingPageController } from './rating/rating-page.controller';
import { RatingPageService } from './rating/rating-page.service';
import { RatingAskers } from './rating/rating-askers';
import { RatingRequest } from './rating/rating-request';
import { RatingsController } from './rating/ratings.controller';
import { RatingsService } from './rating/ratings.service';
import { Deescalation } from './relations/deescalation.service';
import { FollowUps } from './relations/follow-ups.service';
import { linkResource } from './relations/link.resource';
import { LinksController } from './relations/links.controller';
import { LinksService } from './relations/links.service';
import { RelationsController } from './relations/relations.controller';
import { SimilarTickets } from './relations/similar-tickets.service';
import { customStatusResource } from './statuses/custom-status.resource';
import { CustomStatusesController } from './statuses/custom-statuses.controller';
import { CustomStatusesService } from './statuses/custom-statuses.service';
import { StatusBook } from './statuses/status-book';
import { TicketChanges } from './ticket-changes';
import { TicketFiles } from './ticket-files';
import { TicketIntake } from './ticket-intake';
import { TicketTimers } from './ticket-timers';
import { ticketResource } from './ticket.resource';
import { ViewingBoard } from './viewing/viewing-board';
import { ViewingController } from './viewing/viewing.controller';
import { Viewing } from './viewing/viewing.service';
import { TicketsController } from './tickets.controller';
import { CommentTakeover } from './takeover/comment-takeover';
import { TicketTakeover } from './takeover/ticket-takeover';
import { TicketsService } from './tickets.service';

@Module({
  imports: [
    StoreModule.forFeature(
      ticketResource,
      commentResource,
      historyResource,
      ratingResource,
      linkResource,
      followerResource,
      customStatusResource,
    ),
    AttachmentsModule,
    ContactsModule,
    SlaModule,
    UsersModule,
  ],
  controllers: [
    TicketsController,
    CommentsController,
    RatingsController,
    RatingPageController,
    LinksController,
    FollowersController,
    ViewingController,
    RelationsController,
    CustomStatusesController,
  ],
  providers: [
    TicketAssigning,
    TicketDuties,
    TicketSharing,
    UnassignedTickets,
    Handovers,
    EscalationLine,
    CommentRedaction,
    CommentFiles,
    TicketFiles,
    StatusBook,
    CustomStatusesService,
    TicketIntake,
    TicketChanges,
    TicketsService,
    CommentsService,
    CommentWords,
    BatchService,
    HistoryService,
    TicketTimers,
    RatingAskers,
    RatingsService,
    RatingPageService,
    RatingRequest,
    FollowersService,
    Mentioning,
    Participants,
    Merging,
    Resolving,
    Viewing,
    ViewingBoard,
    IncidentResolution,
    LinksService,
    FollowUps,
    SimilarTickets,
    Deescalation,
    TicketTakeover,
    CommentTakeover,
  ],
  exports: [
    TicketsService,
    CommentsService,
    CommentRedaction,
    FollowUps,
    Participants,
    TicketSharing,
    RatingsService,
    RatingAskers,
  ],
})
export class TicketsModule {}
