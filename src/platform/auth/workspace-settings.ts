import { current, currentWorkspaceId } from '../context/current';
import type { Database } from '../database/database';

/**
 * Settings of the current workspace, as the area that asks declares them: a request knows them from its token, a job asks.
 * Inside a unit of work.
 */
export async function workspaceSettings<S extends object>(database: Database): Promise<Partial<S>> {
  const known = current().principal?.workspace?.settings;
  if (known) return known as Partial<S>;
  const [row] = await database.query<{ settings: Partial<S> }>(`SELECT settings FROM workspaces WHERE id = $1`, [
    currentWorkspaceId(),
  ]);
  return row?.settings ?? {};
}

/** Currency of the current workspace, known in the same way. Inside a unit of work. */
export async function workspaceCurrency(database: Database): Promise<string> {
  const known = current().principal?.workspace?.currency;
  if (known) return known;
  const [row] = await database.query<{ currency: string }>(`SELECT currency FROM workspaces WHERE id = $1`, [
    currentWorkspaceId(),
  ]);
  return row?.currency ?? 'EUR';
}

/** Time zone of the current workspace (an IANA name), known in the same way. Inside a unit of work. */
export async function workspaceZone(database: Database): Promise<string> {
  const known = current().principal?.workspace?.timezone;
  if (known) return known;
  const [row] = await database.query<{ timezone: string }>(`SELECT timezone FROM workspaces WHERE id = $1`, [
    currentWorkspaceId(),
  ]);
  return row?.timezone ?? 'UTC';
}

/** Language of the current workspace (a BCP 47 tag). Inside a unit of work. */
export async function workspaceLocale(database: Database): Promise<string> {
  const [row] = await database.query<{ locale: string }>(`SELECT locale FROM workspaces WHERE id = $1`, [
    currentWorkspaceId(),
  ]);
  return row?.locale ?? 'en';
}
