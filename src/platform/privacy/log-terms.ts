import { Injectable } from '@nestjs/common';
import type { LogOfWorkspace, PersonalTable } from '../area/personal';
import { Database } from '../database/database';
import { personalTables } from './inventory';

/** Entries that are deleted in one statement, and counted of one log. */
const BATCH = 1_000;
const MOST_COUNTED = 10_000;

/** Which entries are kept no longer. */
export interface LogTerm {
  /** ISO 8601 */
  before: string;
  /** Handed to `heldWith` as a parameter. */
  tag: string;
  /** SQL: whether an entry stays all the same. @param holder SQL of the id of what it may be held with  @param tag SQL, text */
  heldWith: (holder: string, tag: string) => string;
}

type LogTable = PersonalTable & { log: LogOfWorkspace };

/** Logs that workspaces may keep for less long than the installation does, as areas declare them. */
@Injectable()
export class LogTerms {
  constructor(private readonly database: Database) {}

  /** Deletes some entries of a workspace; answers how many. Inside `Database.system()`. */
  async prune(workspaceId: number, term: LogTerm): Promise<number> {
    for (const log of logs()) {
      const [gone] = await this.database.query<{ count: number }>(
        `WITH chosen AS MATERIALIZED (
           SELECT r.ctid AS row FROM ${log.table} r WHERE ${conditionOf(log, term)} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED),
         gone AS (DELETE FROM ${log.table} WHERE ctid = ANY (ARRAY(SELECT row FROM chosen)) RETURNING 1)
         SELECT count(*)::integer AS count FROM gone`,
        [workspaceId, term.before, term.tag],
      );
      if (gone && gone.count > 0) return gone.count;
    }
    return 0;
  }

  /** Entries of each log that would go, as far as 10,000. */
  count(workspaceId: number, term: LogTerm): Promise<Record<string, number>> {
    return this.database.system(async () => {
      const counts: Record<string, number> = {};
      for (const log of logs()) {
        const [found] = await this.database.query<{ count: number }>(
          `SELECT count(*)::integer AS count FROM (SELECT FROM ${log.table} r WHERE ${conditionOf(log, term)} LIMIT ${MOST_COUNTED}) c`,
          [workspaceId, term.before, term.tag],
        );
        counts[log.table] = found?.count ?? 0;
      }
      return counts;
    });
  }
}

const logs = (): LogTable[] => personalTables().filter((table): table is LogTable => table.log !== undefined);

function conditionOf({ log: { only, holder } }: LogTable, { heldWith }: LogTerm): string {
  const parts = [`r.workspace_id = $1`, `r.created_at < $2::timestamptz`, `$3::text IS NOT NULL`];
  if (only !== undefined) parts.push(only);
  if (holder !== undefined) parts.push(`NOT ${heldWith(holder, '$3')}`);
  return parts.join(' AND ');
}
