import { currentWorkspaceId } from '../../platform/context/current';
import type { Database } from '../../platform/database/database';
import type { Row } from '../../platform/resource/rows';
import type { Ticket } from './ticket.entity';

/** The ticket with a code like `TCK-000042`; null when there is none. Inside a unit of work. */
export async function ticketByCode(database: Database, code: string): Promise<number | null> {
  const [row] = await database.query<{ id: number }>(
    'SELECT id FROM tickets WHERE workspace_id = $1 AND number = $2 AND code = $3',
    [currentWorkspaceId(), Number(code.slice(4)), code],
  );
  return row?.id ?? null;
}

/** Who takes part in a ticket. */
export type TicketParties = Pick<Row<Ticket>, 'requester_email' | 'cc_emails' | 'company_id'>;

/** Who takes part in a ticket; undefined when there is none. Inside a unit of work. */
export async function ticketParties(database: Database, id: number): Promise<TicketParties | undefined> {
  const text = `SELECT requester_email, cc_emails, company_id FROM tickets WHERE workspace_id = $1 AND id = $2`;
  const [row] = await database.query<TicketParties>(text, [currentWorkspaceId(), id]);
  return row;
}

/** The code of a ticket; null when it is not there. Inside a unit of work. */
export async function ticketCodeOf(database: Database, id: number): Promise<string | null> {
  const [row] = await database.query<{ code: string }>(`SELECT code FROM tickets WHERE workspace_id = $1 AND id = $2`, [
    currentWorkspaceId(),
    id,
  ]);
  return row?.code ?? null;
}
