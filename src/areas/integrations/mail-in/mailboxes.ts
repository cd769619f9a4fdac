import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { IntegrationsService } from '../integrations.service';
import type { IncomingMail } from './incoming-mail';
import type { AttachedFile } from '../../attachments/holders/attached-file';

/** What the tickets of a mailbox are given. */
export interface TicketsOfMailbox {
  team_id?: number;
  priority?: 'low' | 'medium' | 'high' | 'urgent';
  category_id?: number;
}

/** A mail that has become a ticket, or a comment on one. */
export interface TakenMail {
  /** The mailbox: an installation of `imap`. */
  integrationId: number;
  mail: Pick<IncomingMail, 'messageId' | 'from' | 'subject'>;
  /** What of it became the description, or the comment. */
  body: string;
  ticketId: number;
  /** The comment that it became; null of the ticket itself. */
  comment: { id: number; authorType: string; attachments: readonly AttachedFile[] } | null;
  attachmentIds: readonly number[];
}

/** Whoever shows mailboxes as something of their own. */
export interface MailboxOwner {
  /** Inside the unit of work that makes a ticket. */
  ticketsOf(integrationId: number): Promise<TicketsOfMailbox>;
  /** Inside the unit of work that took a mail in. */
  took(mail: TakenMail): Promise<void>;
}

/** Where other areas say whose the mailboxes are. They are read in all the same. */
@Injectable()
export class Mailboxes implements MailboxOwner {
  private owner: MailboxOwner | null = null;

  constructor(
    private readonly database: Database,
    private readonly integrations: IntegrationsService,
  ) {}

  own(owner: MailboxOwner): void {
    this.owner = owner;
  }

  async ticketsOf(integrationId: number): Promise<TicketsOfMailbox> {
    return (await this.owner?.ticketsOf(integrationId)) ?? {};
  }

  async took(mail: TakenMail): Promise<void> {
    await this.owner?.took(mail);
  }

  /** The address of a mailbox of the workspace; null where there is none of that id. */
  addressOf(integrationId: number): Promise<string | null> {
    return this.database.transaction(async () => {
      const found = await this.integrations.open(integrationId);
      const address = found?.provider === 'imap' ? found.config.address : null;
      return typeof address === 'string' ? address : null;
    });
  }
}
