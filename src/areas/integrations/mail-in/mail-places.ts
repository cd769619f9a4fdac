import { Injectable } from '@nestjs/common';
import { CommentsService } from '../../tickets/comments.service';
import { FollowUps } from '../../tickets/relations/follow-ups.service';
import type { IncomingMail } from './incoming-mail';
import { isForged } from './mail-filter';
import { MailThread, type Sender } from './mail-thread';

/** A comment of somebody on a ticket, or a ticket of its own, which may go on with a closed one. */
type Place = { ticketId: number; sender: Sender } | { goesOnWith: number | null };

/** Finds where a message belongs. Inside a unit of work. */
@Injectable()
export class MailPlaces {
  constructor(
    private readonly thread: MailThread,
    private readonly comments: CommentsService,
    private readonly followUps: FollowUps,
  ) {}

  /**
   * On a ticket that is closed for good nobody would read what its requester writes: that goes on in the ticket's follow-up, which the first
   * such message makes. The ticket is held meanwhile, so that of two messages the second finds what the first has made, and none is lost with a
   * ticket that is being deleted.
   */
  async of(mail: IncomingMail): Promise<Place> {
    const address = mail.from?.address ?? '';
    let goesOnWith: number | null = null;
    let ticketId = isForged(mail) ? null : await this.thread.ticketOf(mail);
    while (ticketId !== null) {
      const sender = await this.thread.participant(ticketId, address);
      if (sender === null) break;
      const place = await this.comments.placeOf(ticketId);
      if (place === null) break;
      if (sender.kind !== 'requester' || !place.isOver) return { ticketId, sender };
      goesOnWith = place.id;
      // Each is newer than the one that it goes on with, so this ends.
      ticketId = await this.followUps.newestOf(place.id);
    }
    return { goesOnWith };
  }
}
