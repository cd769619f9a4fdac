// Own reads: records are noted and found by the hundred, in statements that a repository has not.
import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { RecordStatus } from '../jobs/migration-states';
import { soundJson } from './sound';
import type { RecordProblem } from './validation';

/** What became of a record of the source. */
export interface Entry {
  entity: string;
  external_id: string;
  status: RecordStatus;
  local_id: number | null;
  line: number | null;
  error: (RecordProblem & { retryable: boolean }) | null;
  warnings: readonly string[];
  /** What the source says, of records that are yet to come in. */
  payload: object | null;
}

/** A record that waits for its turn. */
export interface Waiting {
  id: number;
  external_id: string;
  line: number | null;
  payload: Record<string, unknown>;
}

export type LogLevel = 'info' | 'warning' | 'error';

/** The rows that tell what became of each record. Everything inside the unit of work. */
@Injectable()
export class RecordBook {
  constructor(private readonly database: Database) {}

  /** Notes what became of records; whoever was noted before is noted anew. */
  async write(jobId: number, entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return;
    await this.database.query(
      `INSERT INTO migration_records AS r (workspace_id, job_id, entity, external_id, status, local_id, line, error, warnings, payload)
       SELECT $1, $2, e.entity, e.external_id, e.status, e.local_id, e.line, e.error, e.warnings, e.payload
       FROM json_to_recordset($3::json) AS e(entity text, external_id text, status text, local_id bigint, line bigint, error jsonb, warnings text[], payload jsonb)
       ON CONFLICT (workspace_id, job_id, entity, external_id) DO UPDATE SET status = excluded.status, local_id = excluded.local_id,
         error = excluded.error, warnings = excluded.warnings, payload = excluded.payload, attempts = r.attempts + 1, version = r.version + 1, processed_at = now()`,
      [currentWorkspaceId(), jobId, soundJson(entries)],
    );
  }

  /** Which of these ids a job has a record of, and in which state. */
  async known(jobId: number, entity: string, ids: readonly string[]): Promise<Map<string, RecordStatus>> {
    const rows = await this.database.query<{ external_id: string; status: RecordStatus }>(
      `SELECT external_id, status FROM migration_records WHERE workspace_id = $1 AND job_id = $2 AND entity = $3 AND external_id = ANY($4::text[])`,
      [currentWorkspaceId(), jobId, entity, ids],
    );
    return new Map(rows.map(({ external_id, status }) => [external_id, status]));
  }

  /** The records here of ids of the source, whichever job brought them. */
  async linked(entity: string, ids: readonly string[]): Promise<Map<string, number>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.query<{ external_id: string; local_id: number }>(
      `SELECT external_id, max(local_id) AS local_id FROM migration_records
       WHERE workspace_id = $1 AND entity = $2 AND external_id = ANY($3::text[]) AND local_id IS NOT NULL AND status IN ('created', 'skipped') GROUP BY 1`,
      [currentWorkspaceId(), entity, ids],
    );
    return new Map(rows.map(({ external_id, local_id }) => [external_id, local_id]));
  }

  /** Records that wait, in the order of their coming. */
  waiting(jobId: number, entity: string, after: number, limit: number): Promise<Waiting[]> {
    return this.database.query<Waiting & Record<string, unknown>>(
      `SELECT id, external_id, line, coalesce(payload, '{}') AS payload FROM migration_records
       WHERE workspace_id = $1 AND job_id = $2 AND status = 'pending' AND entity = $3 AND id > $4 ORDER BY id LIMIT $5`,
      [currentWorkspaceId(), jobId, entity, after, limit],
    );
  }

  /** How many records of each state a job has, by entity. */
  async counts(jobId: number): Promise<{ entity: string; status: RecordStatus; n: number }[]> {
    return this.database.query(
      `SELECT entity, status, count(*)::integer AS n FROM migration_records WHERE workspace_id = $1 AND job_id = $2 GROUP BY 1, 2 ORDER BY 1, 2`,
      [currentWorkspaceId(), jobId],
    );
  }

  /** Those that wait for what never came. @returns how many */
  async giveUpWaiting(jobId: number, entity: string): Promise<number> {
    const error = { code: 'unresolved', field: null, message: 'It names a record that did not come.', retryable: true };
    const rows = await this.database.query(
      `UPDATE migration_records SET status = 'failed', error = coalesce(error, $4::jsonb), version = version + 1, processed_at = now()
       WHERE workspace_id = $1 AND job_id = $2 AND entity = $3 AND status = 'pending' RETURNING id`,
      [currentWorkspaceId(), jobId, entity, JSON.stringify(error)],
    );
    return rows.length;
  }

  /** Lets records that failed, or one of them, have another turn. @returns how many, by entity */
  async tryAgain(jobId: number, recordId: number | null): Promise<{ entity: string; n: number }[]> {
    return this.database.query(
      `WITH again AS (UPDATE migration_records SET status = 'pending', error = NULL, version = version + 1
         WHERE workspace_id = $1 AND job_id = $2 AND status = 'failed' AND payload IS NOT NULL AND ($3::bigint IS NULL OR id = $3) RETURNING entity)
       SELECT entity, count(*)::integer AS n FROM again GROUP BY 1`,
      [currentWorkspaceId(), jobId, recordId],
    );
  }

  async log(
    jobId: number,
    level: LogLevel,
    message: string,
    more: { entity?: string; data?: object } = {},
  ): Promise<void> {
    await this.database.query(
      `INSERT INTO migration_logs (workspace_id, job_id, level, entity, message, data) VALUES ($1, $2, $3, $4, $5, $6)`,
      [currentWorkspaceId(), jobId, level, more.entity ?? null, message, more.data ? JSON.stringify(more.data) : null],
    );
  }
}
