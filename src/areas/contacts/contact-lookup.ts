import { currentWorkspaceId } from '../../platform/context/current';
import type { Database } from '../../platform/database/database';
import type { Bind } from '../../platform/resource/filters';
import { companyWithDomain } from '../companies/company-lookup';

/** Those of the addresses (lower-case) that belong to blocked contacts. Inside a unit of work. */
export async function blockedAddresses(database: Database, emails: readonly string[]): Promise<string[]> {
  const text = `SELECT email FROM contacts WHERE workspace_id = $1 AND email = ANY($2::text[]) AND status = 'blocked'`;
  const rows = await database.query<{ email: string }>(text, [currentWorkspaceId(), emails]);
  return rows.map(({ email }) => email);
}

/** Whether there is a contact of that id, who stays until the commit. Inside a unit of work. */
export async function holdContact(database: Database, id: number): Promise<boolean> {
  const text = `SELECT FROM contacts WHERE workspace_id = $1 AND id = $2 FOR KEY SHARE`;
  return (await database.query(text, [currentWorkspaceId(), id])).length > 0;
}

/** The contact of that id, or, where none is given, the one with that address. Inside a unit of work. */
export async function findContact(
  database: Database,
  id: number | null,
  email: string | null,
): Promise<{ id: number; company_id: number | null; name: string; email: string | null } | undefined> {
  const [contact] = await database.query<{ id: number; company_id: number | null; name: string; email: string | null }>(
    `SELECT id, company_id, name, email FROM contacts WHERE workspace_id = $1 AND (id = $2 OR ($2::bigint IS NULL AND email = $3))`,
    [currentWorkspaceId(), id, email],
  );
  return contact;
}

/** SQL of the company of the contact with an address, else of the oldest active company with its mail domain; `$1` is the workspace. */
export function companyOfAddress(email: string, bind: Bind): string {
  const address = bind(email);
  return `coalesce(
    (SELECT c.company_id FROM contacts c WHERE c.workspace_id = $1 AND c.email = ${address}),
    ${companyWithDomain(bind(email.split('@')[1] ?? ''))})`;
}
