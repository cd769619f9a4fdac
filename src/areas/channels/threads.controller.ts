import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Needs } from '../../platform/auth/permission';
import { Id } from '../../platform/http/id';
import type { ListResult, SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { ListParams } from '../../platform/resource/reader';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { ActionRoute, IfMatch, ListQuery, ListRoute, ReadRoute, UpdateRoute } from '../../platform/routes/routes';
import { ConvertToTicket, UpdateThread } from './thread.dto';
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
  convert(@Id() id: number, @Body() body: ConvertToTicket): Promise<SingleResult> {
    return this.threads.convert(id, body);
  }
}
