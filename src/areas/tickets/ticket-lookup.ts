import type { Database } from '../../platform/database/database';
import { WorkspaceRepository } from '../../platform/database/workspace-repository';
import { TicketComment } from './comment.entity';
import { Ticket } from './ticket.entity';

/** The ticket with a code like `TCK-000042`; null when there is none. Inside a unit of work. */
export async function ticketByCode(database: Database, code: string): Promise<number | null> {
  const where = { number: Number(code.slice(4)), code };
  const ticket = await new WorkspaceRepository(database, Ticket).findOne({ select: { id: true }, where });
  return ticket?.id ?? null;
}

/** Who takes part in a ticket; null when there is none. Inside a unit of work. */
export function ticketParties(
  database: Database,
  id: number,
): Promise<Pick<Ticket, 'requester_email' | 'cc_emails' | 'company_id'> | null> {
  const select = { requester_email: true, cc_emails: true, company_id: true } as const;
  return new WorkspaceRepository(database, Ticket).findOne({ select, where: { id } });
}

/** The status of a ticket; null when it is not there. Inside a unit of work. */
export async function ticketStatusOf(database: Database, id: number): Promise<Ticket['status'] | null> {
  const ticket = await new WorkspaceRepository(database, Ticket).findOne({ select: { status: true }, where: { id } });
  return ticket?.status ?? null;
}

/** The ticket that a comment is on; null when it is not there. Inside a unit of work. */
export async function ticketOfComment(database: Database, id: number): Promise<number | null> {
  const comments = new WorkspaceRepository(database, TicketComment);
  return (await comments.findOne({ select: { ticket_id: true }, where: { id } }))?.ticket_id ?? null;
}

/** The code of a ticket; null when it is not there. Inside a unit of work. */
export async function ticketCodeOf(database: Database, id: number): Promise<string | null> {
  const ticket = await new WorkspaceRepository(database, Ticket).findOne({ select: { code: true }, where: { id } });
  return ticket?.code ?? null;
}

/** Ids of the comments of a ticket. Inside a unit of work. */
export async function commentIdsOf(database: Database, ticketId: number): Promise<number[]> {
  const comments = new WorkspaceRepository(database, TicketComment);
  return (await comments.find({ select: { id: true }, where: { ticket_id: ticketId } })).map(({ id }) => id);
}
