import { Module } from '@nestjs/common';
import { AccessModule } from '../../platform/auth/access.module';
import { StoreModule } from '../../platform/resource/store.module';
import { AttachmentsModule } from '../attachments/attachments.module';
import { ContactsModule } from '../contacts/contacts.module';
import { IntegrationsModule } from '../integrations/integrations.module';
import { TicketsModule } from '../tickets/tickets.module';
import { UsersModule } from '../users/users.module';
import { channelResource } from './channel.resource';
import { ChannelMentions } from './channel-mentions';
import { ChannelTests } from './channel-tests.service';
import { ChannelsController } from './channels.controller';
import { ChannelsService } from './channels.service';
import { MailDesk } from './email/mail-desk';
import { InboundAnswers } from './inbound/inbound-answers';
import { InboundController } from './inbound/inbound.controller';
import { Inbound } from './inbound/inbound.service';
import { People } from './inbound/people';
import { SignedInbound } from './inbound/signed-inbound';
import { CommentMessages } from './comment-messages';
import { LiveEvents } from './live/live-events';
import { LiveFeed } from './live/live-feed';
import { LiveWire } from './live/live-wire';
import { Typing } from './live/typing';
import { LiveController } from './live/live.controller';
import { Marks } from './marks/marks.service';
import { MessageChanges } from './message-changes';
import { MessageFiles } from './message-files';
import { messageResource } from './message.resource';
import { MessagesController } from './messages.controller';
import { MessagesService } from './messages.service';
import { AutoReplies } from './outbound/auto-replies';
import { CommentReplies } from './outbound/comment-replies';
import { CommentReplyJob } from './outbound/comment-reply-job';
import { MessageSender } from './outbound/message-sender';
import { Outbox } from './outbound/outbox';
import { ThreadLog } from './thread-log';
import { ThreadTickets } from './thread-tickets';
import { threadResource } from './thread.resource';
import { ThreadsController } from './threads.controller';
import { Threads } from './threads.service';
import { ChatController } from './webchat/chat.controller';
import { ChatDesk } from './webchat/chat-desk';
import { ChatDoor } from './webchat/chat-door';
import { ChatInfos } from './webchat/chat-info';
import { VisitorFiles } from './webchat/visitor-files';
import { VisitorSessions } from './webchat/visitor-sessions';
import { VisitorStreams } from './webchat/visitor-streams';
import { Visits } from './webchat/visits.service';
import { WidgetController } from './webchat/widget.controller';
import { RatingInvitations } from './outbound/rating-invitations';
import { Widgets } from './webchat/widgets.service';

@Module({
  imports: [
    StoreModule.forFeature(channelResource, threadResource, messageResource),
    AttachmentsModule,
    ContactsModule,
    IntegrationsModule,
    TicketsModule,
    UsersModule,
    AccessModule,
  ],
  controllers: [
    LiveController,
    ChannelsController,
    ThreadsController,
    MessagesController,
    InboundController,
    WidgetController,
    ChatController,
  ],
  providers: [
    ChannelsService,
    ChannelTests,
    ChannelMentions,
    Threads,
    ThreadLog,
    ThreadTickets,
    MessagesService,
    MessageChanges,
    CommentMessages,
    MessageFiles,
    Marks,
    People,
    Inbound,
    InboundAnswers,
    SignedInbound,
    LiveEvents,
    LiveFeed,
    LiveWire,
    Typing,
    Outbox,
    MessageSender,
    AutoReplies,
    CommentReplies,
    RatingInvitations,
    CommentReplyJob,
    MailDesk,
    ChatDesk,
    ChatDoor,
    ChatInfos,
    VisitorFiles,
    VisitorSessions,
    VisitorStreams,
    Visits,
    Widgets,
  ],
  exports: [ChannelsService, ChatDesk, Inbound, MessagesService],
})
export class ChannelsModule {}
