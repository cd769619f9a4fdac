import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Needs } from '../../platform/auth/permission';
import { AnswerOf } from '../../platform/http/answer-members';
import { Id } from '../../platform/http/id';
import type { ListResult, SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { ListParams } from '../../platform/resource/reader';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { ActionRoute, IfMatch, ListQuery, ListRoute, ReadRoute, UpdateRoute } from '../../platform/routes/routes';
import { ConvertToTicket, TypingTold, UpdateThread } from './thread.dto';
import { ChannelThread } from './thread.entity';
import { threadResource } from './thread.resource';
import { Threads } from './threads.service';

@ApiTags('Channels')
@Controller('teams/threads')
export class ThreadsController {
  constructor(
    @InjectStore(ChannelThread) private readonly records: Store<ChannelThread>,
    private readonly threads: Threads,
  ) {}

  @Needs('channels.read')
  @ListRoute(threadResource, { description: 'Those that were spoken in last stand first.' })
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @Needs('channels.read')
  @ReadRoute(threadResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @Needs('channels.write')
  @UpdateRoute(threadResource)
  update(@Id() id: number, @Body() body: UpdateThread, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.records.update(id, body, expected);
  }

  @Needs('tickets.create')
  @ActionRoute(threadResource, ':id/convert-to-ticket', {
    summary: 'Make a ticket of a conversation',
    description:
      'What was said is its description, and what comes is comments on it. 422 `has_ticket` where there is one that is not closed.',
  })
  convert(
    @Id() id: number,
    @Body() body: ConvertToTicket,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.threads.convert(id, body, expected);
  }

  @Needs('channels.write')
  @Post(':id/typing')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Say that one is writing',
    description:
      'Told to the streams of the conversation as `typing`, those of its visitor among them, and kept nowhere. To be said again every few seconds ' +
      'for as long as one writes; sooner it is no news.',
  })
  @AnswerOf(TypingTold, { description: 'For how long it is shown.' })
  typing(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<TypingTold> {
    return this.threads.typing(id, expected);
  }
}
