import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { codeInMessageId } from '../../../platform/mail/message-id';
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
    const code = ids.map(codeInMessageId).find((found) => found !== null) ?? codeInSubject(mail.subject);
    return code === null ? null : this.ticketByCode(code);
  }

  /**
   * The sender as a participant of the ticket: an active agent, the requester, someone copied in, or a contact of the
   * ticket's company. Null for anyone else: knowing a code is not enough to write into a ticket.
   */
  async participant(ticketId: number, address: string): Promise<Sender | null> {
    const [row] = await this.database.query<ParticipantRow>(
      `SELECT u.id AS user_id, u.name AS user_name, c.id AS contact_id, c.name AS contact_name,
         (t.requester_email = $3 OR $3 = ANY(t.cc_emails) OR (c.company_id IS NOT NULL AND c.company_id = t.company_id)) AS takes_part
       FROM tickets t
       LEFT JOIN users u ON u.workspace_id = t.workspace_id AND lower(u.email) = $3 AND u.status = 'active'
       LEFT JOIN contacts c ON c.workspace_id = t.workspace_id AND lower(c.email) = $3
       WHERE t.workspace_id = $1 AND t.id = $2`,
      [currentWorkspaceId(), ticketId, address],
    );
    if (!row) return null;
    // An agent who asks for help is a requester in that ticket.
    if (row.takes_part) return { kind: 'requester', id: row.contact_id, name: row.contact_name ?? address };
    return row.user_id === null ? null : { kind: 'agent', id: row.user_id, name: row.user_name ?? address };
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

  private async ticketByCode(code: string): Promise<number | null> {
    const [row] = await this.database.query<{ id: number }>(
      'SELECT id FROM tickets WHERE workspace_id = $1 AND number = $2 AND code = $3',
      [currentWorkspaceId(), Number(code.slice(4)), code],
    );
    return row?.id ?? null;
  }
}

interface ParticipantRow {
  user_id: number | null;
  user_name: string | null;
  contact_id: number | null;
  contact_name: string | null;
  takes_part: boolean;
}

function codeInSubject(subject: string): string | null {
  return CODE_IN_SUBJECT.exec(subject)?.[1]?.toUpperCase() ?? null;
}
