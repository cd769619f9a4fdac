import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { nameInMessageId } from '../../../platform/mail/message-id';
import { findContact } from '../../contacts/contact-lookup';
import { numberOfCode } from '../../tickets/ticket-code';
import { ticketByCode, ticketParties } from '../../tickets/ticket-lookup';
import { activeUserByEmail } from '../../users/user-lookup';
import type { IncomingMail } from './incoming-mail';

const CODE_IN_SUBJECT = /\[\s*(tck-\d{6,15})\s*\]/i;

/** Who sent a message, for the ticket that it answers. */
export interface Sender {
  kind: 'agent' | 'requester';
  /** Id of the user or contact; null for one who is only copied in. */
  id: number | null;
  name: string;
}

/** Finds the ticket that a message answers, and whether its sender takes part in it. Inside a unit of work. */
@Injectable()
export class MailThread {
  constructor(private readonly database: Database) {}

  /** The ticket: by the ids it refers to, newest first, else by the code in one of them, else by that in the subject. */
  async ticketOf(mail: IncomingMail): Promise<number | null> {
    const ids = [...new Set([...mail.references, ...(mail.inReplyTo === null ? [] : [mail.inReplyTo])])].reverse();
    const [known] = await this.database.query<{ ticket_id: number }>(
      `SELECT m.ticket_id FROM mail_messages m JOIN unnest($2::text[]) WITH ORDINALITY AS v(message_id, rank) USING (message_id)
       WHERE m.workspace_id = $1 AND m.ticket_id IS NOT NULL ORDER BY v.rank LIMIT 1`,
      [currentWorkspaceId(), ids],
    );
    if (known) return known.ticket_id;
    const codes = ids.flatMap((id) => nameInMessageId(id) ?? []).filter((name) => numberOfCode(name) !== null);
    const code = codes[0] ?? codeInSubject(mail.subject);
    return code === null ? null : ticketByCode(this.database, code);
  }

  /**
   * The sender as a participant of the ticket: an active agent, the requester, someone copied in, or a contact of the
   * ticket's company. Null for anyone else: knowing a code is not enough to write into a ticket.
   */
  async participant(ticketId: number, address: string): Promise<Sender | null> {
    const ticket = await ticketParties(this.database, ticketId);
    if (!ticket) return null;
    const contact = await findContact(this.database, null, address);
    const sameCompany = contact && contact.company_id !== null && contact.company_id === ticket.company_id;
    // An agent who asks for help is a requester in that ticket.
    if (ticket.requester_email === address || ticket.cc_emails.includes(address) || sameCompany)
      return { kind: 'requester', id: contact?.id ?? null, name: contact?.name ?? address };
    const user = await activeUserByEmail(this.database, address);
    return user ? { kind: 'agent', id: user.id, name: user.name } : null;
  }

  /** Messages of the sender that were let in within the last hour. */
  async recentOf(address: string): Promise<number> {
    const [row] = await this.database.query<{ n: number }>(
      `SELECT count(*) AS n FROM mail_messages
       WHERE workspace_id = $1 AND sender = $2 AND direction = 'in' AND created_at > now() - interval '1 hour'`,
      [currentWorkspaceId(), address],
    );
    return row?.n ?? 0;
  }
}

function codeInSubject(subject: string): string | null {
  return CODE_IN_SUBJECT.exec(subject)?.[1]?.toUpperCase() ?? null;
}
