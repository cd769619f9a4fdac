import { current, currentWorkspaceId } from '../../platform/context/current';
import type { Database } from '../../platform/database/database';

/** Currency of the current workspace: a request knows it from its token, a job asks. Inside a unit of work. */
export async function workspaceCurrency(database: Database): Promise<string> {
  const known = current().principal?.workspace?.currency;
  if (known) return known;
  const [row] = await database.query<{ currency: string }>(`SELECT currency FROM workspaces WHERE id = $1`, [
    currentWorkspaceId(),
  ]);
  return row?.currency ?? 'EUR';
}
