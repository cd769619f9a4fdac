import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Needs } from '../../platform/auth/permission';
import { AnswerOf } from '../../platform/http/answer-members';
import { Id } from '../../platform/http/id';
import type { ListResult, SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { ListParams } from '../../platform/resource/reader';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import {
  CreateRoute,
  DeleteRoute,
  IfMatch,
  ListQuery,
  ListRoute,
  ReadRoute,
  UpdateRoute,
} from '../../platform/routes/routes';
import { ChannelTests } from './channel-tests.service';
import { TestResult } from '../../platform/outbound/test-result';
import { CreateChannel, InboundAddress, UpdateChannel } from './channel.dto';
import { Channel } from './channel.entity';
import { channelResource } from './channel.resource';
import { ChannelsService } from './channels.service';
import { InboundAnswer, InboundMessage } from './inbound/inbound.dto';
import { InboundAnswers } from './inbound/inbound-answers';
import { CreateChannelMessage } from './message.dto';
import { messageResource } from './message.resource';
import { MessagesService } from './messages.service';
import { WidgetAnswer } from './webchat/chat.dto';
import { Widgets } from './webchat/widgets.service';

@ApiTags('Channels')
@Controller('teams/channels')
export class ChannelsController {
  constructor(
    @InjectStore(Channel) private readonly records: Store<Channel>,
    private readonly channels: ChannelsService,
    private readonly tests: ChannelTests,
    private readonly inbound: InboundAnswers,
    private readonly messages: MessagesService,
    private readonly widgets: Widgets,
  ) {}

  @Needs('channels.read')
  @ListRoute(channelResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @Needs('channels.create')
  @CreateRoute(channelResource)
  create(@Body() body: CreateChannel): Promise<SingleResult> {
    return this.channels.create(body);
  }

  @Needs('channels.read')
  @ReadRoute(channelResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @Needs('channels.update')
  @UpdateRoute(channelResource)
  update(@Id() id: number, @Body() body: UpdateChannel, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.channels.update(id, body, expected);
  }

  @Needs('channels.delete')
  @DeleteRoute(channelResource, { description: 'It is archived, and stays to be read with what was said in it.' })
  remove(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.channels.archive(id, expected);
  }

  @Needs('channels.update')
  @Get(':id/inbound-address')
  @ApiOperation({
    summary: 'Get where the other side posts to',
    description:
      'For the settings of the other side. Requests there have no token: each is signed, as the type of the channel says.',
  })
  @AnswerOf(InboundAddress, { description: 'The address, which stays the same.' })
  inboundAddress(@Id() id: number): Promise<InboundAddress> {
    return this.channels.inboundAddress(id);
  }

  @Needs('channels.update')
  @Get(':id/widget')
  @ApiOperation({
    summary: 'Get the line that puts a chat on a site',
    description:
      'Of web chats: one script line for the pages of the origins that `config.allowed_origins` names. What it holds is no secret.',
  })
  @AnswerOf(WidgetAnswer, { description: 'The line and its parts, which stay the same.' })
  widget(@Id() id: number): Promise<WidgetAnswer> {
    return this.widgets.of(id);
  }

  @Needs('channels.update')
  @Post(':id/test')
  @HttpCode(200)
  @ApiOperation({ summary: 'Try whether the other side is there', description: 'Sent at once and only once.' })
  @AnswerOf(TestResult, { description: 'How it went.' })
  async test(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<TestResult> {
    await this.records.require(id, expected);
    return this.tests.run(id);
  }

  @Needs('channels.receive')
  @Post(':id/inbound')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Hand in what was received',
    description:
      'For programs with a token; others post the same, signed, to the address of the channel. Finds or makes the contact and the ' +
      'conversation, and by rule of the channel a ticket; what is told again (`external_message_id`) changes nothing.',
  })
  @AnswerOf(InboundAnswer, { description: 'What became of it.' })
  receive(@Id() id: number, @Body() body: InboundMessage): Promise<InboundAnswer> {
    return this.inbound.take(id, body);
  }

  @Needs('channels.read')
  @ListRoute(messageResource, { path: ':id/messages', description: 'Newest first.' })
  listMessages(@Id() id: number, @ListQuery() params: ListParams): Promise<ListResult> {
    return this.messages.listOf(id, params);
  }

  @Needs('channels.write')
  @CreateRoute(messageResource, {
    path: ':id/messages',
    summary: 'Write in a channel',
    description:
      'What leaves the workspace needs the permission `tickets.reply`, and is a comment on the ticket of the conversation, too.',
  })
  createMessage(@Id() id: number, @Body() body: CreateChannelMessage): Promise<SingleResult> {
    return this.messages.createIn(id, body);
  }
}
