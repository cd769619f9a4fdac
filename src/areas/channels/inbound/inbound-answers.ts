import { Injectable } from '@nestjs/common';
import { demandWholeSight } from '../../../platform/context/demand';
import { fail, invalid } from '../../../platform/errors/api-error';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { ownJson } from '../../../platform/text/json';
import { TicketsService } from '../../tickets/tickets.service';
import { ChannelsService } from '../channels.service';
import { ThreadMessage } from '../message.entity';
import { arrivalOf, lackOf } from './arrival';
import { type InboundAnswer, type InboundMessage } from './inbound.dto';
import { Inbound } from './inbound.service';

/** What programs with a token hand in, and what they are answered. */
@Injectable()
export class InboundAnswers {
  constructor(
    @InjectStore(ThreadMessage) private readonly messages: Store<ThreadMessage>,
    private readonly channels: ChannelsService,
    private readonly tickets: TicketsService,
    private readonly inbound: Inbound,
  ) {}

  /** 403 for who sees some tickets only: what came in would not be there for them. */
  async take(channelId: number, told: InboundMessage): Promise<InboundAnswer> {
    demandWholeSight('What comes in is about any ticket; only those whose ticket scope is "all" may hand it in.');
    const open = await this.channels.openActive(channelId);
    if (!open.adapter.isOutside) invalid('id', 'invalid', 'Nobody writes to an internal channel from outside.');
    if (open.adapter.isMailed === true) invalid('id', 'invalid', 'What comes by mail comes through its mailbox alone.');
    const lack = lackOf(told);
    if (lack)
      fail('validation_error', lack.message, {
        details: [lack],
        missing: lack.code === 'required' ? [lack.field] : [],
      });
    const { messageId, ticketId, duplicate, ignored } = await this.inbound.take(open, arrivalOf(told));
    const message = messageId === null ? null : await this.messages.whole(messageId);
    const ticket = ticketId === null ? null : ownJson<unknown>((await this.tickets.shown(ticketId)).json);
    return { message, ticket, duplicate, ignored };
  }
}
