import { current, currentWorkspaceId } from '../context/current';
import type { Database } from '../database/database';
import type { WorkspaceSettings } from './access';

/** Settings of the current workspace: a request knows them from its token, a job asks. Inside a unit of work. */
export async function workspaceSettings(database: Database): Promise<WorkspaceSettings> {
  const known = current().access?.workspace.settings;
  if (known) return known;
  const [row] = await database.query<{ settings: WorkspaceSettings }>(`SELECT settings FROM workspaces WHERE id = $1`, [
    currentWorkspaceId(),
  ]);
  return row?.settings ?? {};
}
