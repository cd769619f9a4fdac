import { current, currentWorkspaceId } from '../../../platform/context/current';
import type { Database } from '../../../platform/database/database';
import { canonicalLanguage } from '../../../platform/text/language';

/** The language of the current workspace: a request knows it from its token, a job asks. Inside a unit of work. */
export async function workspaceLanguage(database: Database): Promise<string> {
  const known = current().principal?.workspace?.locale ?? (await storedLocale(database));
  return canonicalLanguage(known.replaceAll('_', '-')) ?? 'en';
}

async function storedLocale(database: Database): Promise<string> {
  const [row] = await database.query<{ locale: string }>(`SELECT locale FROM workspaces WHERE id = $1`, [
    currentWorkspaceId(),
  ]);
  return row?.locale ?? 'en';
}
