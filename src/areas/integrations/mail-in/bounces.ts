import { Injectable } from '@nestjs/common';
import { Mailer, type SentMail } from '../../../platform/mail/mailer';
import { CommentsService } from '../../tickets/comments.service';
import { ticketCodeOf } from '../../tickets/ticket-lookup';
import { Database } from '../../../platform/database/database';
import type { BounceReport } from './bounce-report';
import type { RecipientStatus } from '../../../platform/mail/delivery-status';
import { MailAddresses } from '../../../platform/mail/mail-addresses';

/** Takes reports that mail came back to where they belong: the mail, the contact, the ticket. */
@Injectable()
export class Bounces {
  constructor(
    private readonly database: Database,
    private readonly mailer: Mailer,
    private readonly addresses: MailAddresses,
    private readonly comments: CommentsService,
  ) {}

  /**
   * Inside the unit of work that lets the report in. Believed is only what is about a mail that left from here, and of people it
   * went to: whoever else writes such a report knows neither. Each mail is lost to each of them once, however many reports say so.
   * Answers whom it was about.
   */
  async take({ mails, recipients }: BounceReport): Promise<RecipientStatus[]> {
    const mail = await this.mailer.sentAs(mails);
    if (!mail) return [];
    const first = new Map(recipients.toReversed().map((each) => [each.address, each]));
    const lost = [...first.values()].filter(({ address }) => mail.addresses.includes(address));
    const why = lost.map(summaryOf).join(' ');
    const addresses = lost.map(({ address }) => address);
    const fresh = await this.mailer.cameBack(mail.id, addresses, why);
    const told = lost.filter(({ address }) => fresh.includes(address));
    for (const each of told) if (each.kind === 'hard') await this.addresses.lost(each.address, reasonOf(each));
    if (told.length > 0) await this.tell(mail, told);
    return lost;
  }

  private async tell(mail: SentMail, lost: readonly RecipientStatus[]): Promise<void> {
    if (mail.about === null || (await ticketCodeOf(this.database, mail.about)) === null) return;
    const lines = lost.map(
      (each) =>
        `- \`${plain(each.address)}\`: ${each.kind === 'hard' ? 'there is no such mailbox' : 'not delivered'} (\`${plain(reasonOf(each))}\`)`,
    );
    const end = lost.some(({ kind }) => kind === 'hard')
      ? '\n\nNo more automatic mail goes there until the address is corrected.'
      : '';
    const body = `A mail about this ticket came back:\n\n${lines.join('\n')}${end}`;
    await this.comments.add(mail.about, { body, is_internal: true });
  }
}

function reasonOf({ status, diagnostic }: RecipientStatus): string {
  return [status, diagnostic].filter((part) => part !== '').join(': ') || 'no reason given';
}

function summaryOf(each: RecipientStatus): string {
  return `${each.address}: ${reasonOf(each)}.`;
}

/** Fits between backquotes. */
function plain(text: string): string {
  return text.replaceAll('`', "'");
}
