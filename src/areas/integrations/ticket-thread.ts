/** Where a mail about a ticket belongs. */
export interface TicketThread {
  /** Ids of the mail about the ticket, oldest first. */
  thread: string[];
  /** The last mail that came in. */
  answered: string | null;
  /** Address of the mailbox that the ticket came through, else of one that is read. */
  mailbox: string | null;
}

/**
 * SQL of the columns of a `TicketThread`.
 *
 * @param ticket alias of the ticket
 */
export function threadOf(ticket: string): string {
  const ofTicket = `m.workspace_id = ${ticket}.workspace_id AND m.ticket_id = ${ticket}.id`;
  return `ARRAY(SELECT m.message_id FROM mail_messages m WHERE ${ofTicket} ORDER BY m.created_at, m.message_id) AS thread,
    (SELECT m.message_id FROM mail_messages m WHERE ${ofTicket} AND m.direction = 'in' ORDER BY m.created_at DESC LIMIT 1) AS answered,
    (SELECT lower(i.config ->> 'address') FROM integrations i
     LEFT JOIN mail_messages m ON m.integration_id = i.id AND ${ofTicket}
     WHERE i.workspace_id = ${ticket}.workspace_id AND i.provider = 'imap' AND i.status = 'active'
     ORDER BY m.created_at NULLS LAST, i.id LIMIT 1) AS mailbox`;
}
