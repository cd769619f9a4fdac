import type { Database } from '../../platform/database/database';
import { WorkspaceRepository } from '../../platform/database/workspace-repository';
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

/** The code of a ticket; null when it is not there. Inside a unit of work. */
export async function ticketCodeOf(database: Database, id: number): Promise<string | null> {
  const ticket = await new WorkspaceRepository(database, Ticket).findOne({ select: { code: true }, where: { id } });
  return ticket?.code ?? null;
}
