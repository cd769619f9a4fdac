import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Id } from '../../../platform/http/id';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { type ListParams, Reader } from '../../../platform/resource/reader';
import { InjectReader } from '../../../platform/resource/store.module';
import { ActionRoute, CreateRoute, IfMatch, ListQuery, ListRoute, ReadRoute } from '../../../platform/routes/routes';
import { ConversationFeedback, HandOver, SayMessage, StartConversation } from './conversation.dto';
import { AiConversation } from './conversation.entity';
import { aiConversationResource } from './conversation.resource';
import { ConversationsService } from './conversations.service';
import { aiMessageResource } from './message.resource';

@ApiTags('AI engine')
@Controller('ai-engine/conversations')
export class ConversationsController {
  constructor(
    @InjectReader(AiConversation) private readonly records: Reader<AiConversation>,
    private readonly conversations: ConversationsService,
  ) {}

  @ListRoute(aiConversationResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @CreateRoute(aiConversationResource, {
    summary: 'Begin a conversation',
    description:
      'Answers with quotes of published articles that customers may read, asks back, or hands over to a person: `action` says which, `reply` is what the customer reads.',
  })
  start(@Body() body: StartConversation): Promise<SingleResult> {
    return this.conversations.start(body);
  }

  @ReadRoute(aiConversationResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @ListRoute(aiMessageResource, {
    path: ':id/messages',
    summary: 'List the messages of a conversation',
    description: 'Oldest first.',
  })
  messages(@Id() id: number, @ListQuery() params: ListParams): Promise<ListResult> {
    return this.conversations.messagesOf(id, params);
  }

  @ActionRoute(aiConversationResource, ':id/messages', {
    summary: 'Say something in a conversation',
    description:
      'What the customer says next. After a person has taken over nothing is answered: it is kept, and becomes a comment on the ticket.',
  })
  say(@Id() id: number, @Body() body: SayMessage, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.conversations.say(id, body, expected);
  }

  @ActionRoute(aiConversationResource, ':id/handover', {
    summary: 'Hand a conversation over to a person',
    description: 'A ticket is made of it unless it is about one. Once it is handed over, nothing changes.',
  })
  handOver(@Id() id: number, @Body() body: HandOver, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.conversations.handOver(id, body, expected);
  }

  @ActionRoute(aiConversationResource, ':id/feedback', {
    summary: 'Say whether a conversation helped',
    description: 'What the customer thinks of the last answer, and of the conversation from 1 to 5.',
  })
  rate(
    @Id() id: number,
    @Body() body: ConversationFeedback,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.conversations.rate(id, body, expected);
  }
}
