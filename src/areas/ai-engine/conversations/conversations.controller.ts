import { Body, Controller, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Id } from '../../../platform/http/id';
import type { ListResult, SingleResult, StreamResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { type ListParams, Reader } from '../../../platform/resource/reader';
import { InjectReader } from '../../../platform/resource/store.module';
import { ActionRoute, CreateRoute, IfMatch, ListQuery, ListRoute, ReadRoute } from '../../../platform/routes/routes';
import { ownJson } from '../../../platform/text/json';
import { AnswerStreams, asksToBeTold, type Told } from '../streaming/answer-streams';
import { TOLD_TOO, ToldToo } from '../streaming/told-answer';
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
    private readonly streams: AnswerStreams,
  ) {}

  @ListRoute(aiConversationResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @ToldToo()
  @CreateRoute(aiConversationResource, {
    summary: 'Begin a conversation',
    description:
      'Answers with quotes of published articles that customers may read, asks back, or hands over to a person: `action` says which, `reply` is what the customer reads. Where the settings name a provider it writes the answer, of the same articles.' +
      TOLD_TOO,
  })
  start(@Body() body: StartConversation, @Req() request: FastifyRequest): Promise<SingleResult | StreamResult> {
    if (!asksToBeTold(request)) return this.conversations.start(body);
    return this.streams.tell(async (listener) => toldOf(await this.conversations.start(body, listener)));
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

  @ToldToo()
  @ActionRoute(aiConversationResource, ':id/messages', {
    summary: 'Say something in a conversation',
    description:
      'What the customer says next. After a person has taken over nothing is answered: it is kept, and becomes a comment on the ticket.' +
      TOLD_TOO,
  })
  say(
    @Id() id: number,
    @Body() body: SayMessage,
    @IfMatch() expected: ExpectedVersions,
    @Req() request: FastifyRequest,
  ): Promise<SingleResult | StreamResult> {
    if (!asksToBeTold(request)) return this.conversations.say(id, body, expected);
    return this.streams.tell(async (listener) => toldOf(await this.conversations.say(id, body, expected, listener)));
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

/** What is told of a conversation: what the engine says last, unless a person has it. */
function toldOf({ json }: SingleResult): Told {
  const record = ownJson<{ reply?: string | null }>(json);
  return { record, said: record.reply ?? null };
}
