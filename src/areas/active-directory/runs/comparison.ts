import { createHash } from 'node:crypto';
import { currentWorkspaceId } from '../../../platform/context/current';
import type { Database } from '../../../platform/database/database';
import { membershipOf } from '../engine/membership';
import type { Local, Rules, Snapshot } from '../engine/objects';
import { contactsFor, localOf, type Known } from './known';
import { keyEverything, referencedBy } from './references';
import { touchedBy } from './touched';

/** What a run is compared with, and by what. */
export interface Comparison {
  local: Local;
  /** The same for two runs that compare by the same settings and mean the same groups by them. */
  key: string;
}

/**
 * What a run that has read this is to look at: what the changes touch, where the run before was clean and compared by the same, else
 * everything. Inside a unit of work.
 *
 * @param runId of the run; null for everything
 */
export async function comparisonOf(
  database: Database,
  connection: Known,
  runId: number | null,
  snapshot: Snapshot,
  rules: Rules,
): Promise<Comparison> {
  const key = await keyOf(database, connection, rules);
  const since = runId === null || snapshot.mode === 'full' ? null : await cleanSince(database, connection, runId, key);
  const touched = since === null ? null : await touchedBy(database, connection, snapshot, rules, since);
  if (!touched) await keyEverything(database, connection);
  const local = touched ?? (await localOf(database, connection));
  return { local: { ...local, contacts: await contactsFor(database, local.people, snapshot, rules) }, key };
}

async function keyOf(database: Database, connection: Known, rules: Rules): Promise<string> {
  const referenced = await referencedBy(
    database,
    connection,
    rules.mappings.map(({ group }) => group),
  );
  const { index } = membershipOf({ people: [], groups: [] }, { people: [], groups: [], referenced }, new Set());
  const named = rules.mappings.map(({ group }) => index.find(group) ?? null);
  const own = await database.query(OWN_MAPPINGS, [currentWorkspaceId(), connection.id]);
  return createHash('sha256')
    .update(JSON.stringify([rules, named, own]))
    .digest('base64url');
}

/** From when on something may have changed here; null where the run before leaves something to do, or compared by something else. */
async function cleanSince(database: Database, { id }: Known, runId: number, key: string): Promise<string | null> {
  const [last] = await database.query<{ is_clean: boolean; compared: string | null; since: string }>(LAST, [
    ...[currentWorkspaceId(), id, runId],
  ]);
  return last?.is_clean && last.compared === key ? last.since : null;
}

const OWN_MAPPINGS = `SELECT object_guid, mapped_role, mapped_team_ids FROM directory_groups
  WHERE workspace_id = $1 AND connection_id = $2 AND (mapped_role IS NOT NULL OR mapped_team_ids <> '{}') ORDER BY id`;

/** A minute before: what was begun by then may have ended later. A manager who could not be set yet may be another time. */
const LAST = `SELECT r.compared, (r.started_at - interval '1 minute')::text AS since, r.status = 'completed' AND NOT EXISTS (
    SELECT FROM directory_changes c WHERE c.workspace_id = r.workspace_id AND c.run_id = r.id AND c.result = 'warning'
      AND c.error->>'code' NOT IN ('taken', 'claimed_twice')) AS is_clean
  FROM directory_runs r WHERE r.workspace_id = $1 AND r.connection_id = $2 AND r.id < $3 AND NOT r.is_dry_run AND r.planned_at IS NOT NULL
  ORDER BY r.id DESC LIMIT 1`;
