import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Needs } from '../../platform/auth/permission';
import { Id } from '../../platform/http/id';
import type { ListResult, SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { ListParams } from '../../platform/resource/reader';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
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
import { CreateMessage, React, UpdateMessage } from './message.dto';
import { ThreadMessage } from './message.entity';
import { messageResource } from './message.resource';
import { MessagesService } from './messages.service';
import { ConvertToTicket } from './thread.dto';

@ApiTags('Channels')
@Controller('teams/messages')
export class MessagesController {
  constructor(
    @InjectStore(ThreadMessage) private readonly records: Store<ThreadMessage>,
    private readonly messages: MessagesService,
  ) {}

  @Needs('channels.read')
  @ListRoute(messageResource, { description: 'Of all channels, newest first.' })
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @Needs('channels.write')
  @CreateRoute(messageResource, {
    summary: 'Write a message',
    description:
      'What leaves the workspace needs the permission `tickets.reply`, and is a comment on the ticket of the conversation, too.',
  })
  create(@Body() body: CreateMessage): Promise<SingleResult> {
    return this.messages.create(body);
  }

  @Needs('channels.read')
  @ReadRoute(messageResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @Needs('channels.write')
  @UpdateRoute(messageResource, {
    description:
      "One's own, and until it has left the workspace; in internal channels always. Those of others are for who has `channels.moderate`.",
  })
  update(@Id() id: number, @Body() body: UpdateMessage, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.messages.edit(id, body, expected);
  }

  @Needs('channels.write')
  @DeleteRoute(messageResource, {
    description:
      'What it said goes from wherever it was kept; that it was there stays. Those of others are for who has `channels.moderate`.',
  })
  remove(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.messages.remove(id, expected);
  }

  @Needs('channels.write')
  @ActionRoute(messageResource, ':id/read', {
    summary: 'Mark a conversation as read',
    description: 'The user of the token has read as far as this message.',
  })
  markRead(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.messages.markRead(id, expected);
  }

  @Needs('channels.write')
  @ActionRoute(messageResource, ':id/reactions', { summary: 'React to a message' })
  react(@Id() id: number, @Body() body: React, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.messages.react(id, body, expected);
  }

  @Needs('tickets.create')
  @ActionRoute(messageResource, ':id/convert-to-ticket', {
    summary: 'Make a ticket of the conversation of a message',
    description: 'As that of the conversation.',
  })
  convert(
    @Id() id: number,
    @Body() body: ConvertToTicket,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.messages.convert(id, body, expected);
  }
}
