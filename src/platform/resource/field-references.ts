import { currentWorkspaceId } from '../context/current';
import type { Database } from '../database/database';
import type { ErrorDetail } from '../errors/api-error';
import type { NamedRecord } from '../fields/settle-fields';
import { sql } from '../postgres/statement-batch';
import { andSeen, filled } from './read/sight';
import { resourceIfAny } from './resource';

/** What is wrong with values of custom fields that name records: those that are not there, or not for the caller. */
export async function missingRecords(database: Database, named: readonly NamedRecord[]): Promise<ErrorDetail[]> {
  const known = new Map<string, ReadonlySet<number>>();
  for (const name of new Set(named.map(({ resource }) => resource))) {
    const ids = named.flatMap(({ resource, id }) => (resource === name ? [id] : []));
    known.set(name, await knownIds(database, name, ids));
  }
  return named
    .filter(({ resource, id }) => known.get(resource)?.has(id) !== true)
    .map(({ field, id }) => ({ field, code: 'not_found', message: `${field} names ${id}, which does not exist` }));
}

async function knownIds(database: Database, name: string, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const resource = resourceIfAny(name);
  if (!resource) return new Set();
  const text = `SELECT t.id FROM ${resource.table} t WHERE t.workspace_id = $1 AND t.id = ANY($2::bigint[])${andSeen(name, 't')}`;
  const rows = await database.read(filled(sql<{ id: number }>(text, [currentWorkspaceId(), ids])));
  return new Set(rows.map(({ id }) => id));
}
