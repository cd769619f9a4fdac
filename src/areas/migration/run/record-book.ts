// Own reads: records are noted and found by the hundred, in statements that a repository has not.
import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { RecordStatus } from '../jobs/migration-states';
import { soundJson } from './sound';
import type { PutBack } from '../../../platform/resource/takeover';
import type { Changes } from '../../../platform/events/event-rows';
import type { Matched } from '../mapping/mapping.dto';
import type { Said } from './revision';
import type { RecordProblem } from './validation';

/** What became of a record of the source. */
export interface Entry {
  entity: string;
  external_id: string;
  status: RecordStatus;
  local_id: number | null;
  /** Where it is read in the source. */
  source_url?: string | null;
  matched_by?: Matched | null;
  line: number | null;
  error: (RecordProblem & { retryable: boolean }) | null;
  warnings: readonly string[];
  /** What the source says, of records that are yet to come in. */
  payload: object | null;
  /** What the source said of a record that is here, to be known again. */
  said?: Said | null;
  /** The version that a change has left it at, and what that changed. */
  left_at?: number | null;
  changes?: Changes | null;
}

/** A record of a job that stands here: made by it, or changed. */
export interface StandingRecord {
  id: number;
  local_id: number;
  status: 'created' | 'updated';
  /** The version that migrations left it at. */
  left: number;
  /** A later migration has changed it. */
  is_revised: boolean;
  changes: Changes | null;
}

/** What is known of a record here that a record of a source is about. */
export interface Origin {
  /** What its source said when it was last taken over. */
  said: Said | null;
  /** The version that migrations left it at; null where none made or changed it. */
  left: number | null;
  /** Whether a migration made it, or has changed it, of this id. */
  isOwn: boolean;
}

/** A record that waits for its turn. */
export interface Waiting {
  id: number;
  external_id: string;
  line: number | null;
  payload: Record<string, unknown>;
  attempts: number;
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
      `INSERT INTO migration_records AS r (workspace_id, job_id, entity, external_id, status, local_id, line, error, warnings, payload, said, left_at, changes, source_url, matched_by)
       SELECT $1, $2, e.entity, e.external_id, e.status, e.local_id, e.line, e.error, e.warnings, e.payload, e.said, e.left_at, e.changes, e.source_url, e.matched_by
       FROM json_to_recordset($3::json) AS e(entity text, external_id text, status text, local_id bigint, line bigint, error jsonb, warnings text[], payload jsonb,
         said json, left_at integer, changes jsonb, source_url text, matched_by text)
       ON CONFLICT (workspace_id, job_id, entity, external_id) DO UPDATE SET status = excluded.status, local_id = excluded.local_id,
         error = excluded.error, warnings = excluded.warnings, payload = excluded.payload,
         said = excluded.said, left_at = excluded.left_at, changes = excluded.changes, source_url = coalesce(excluded.source_url, r.source_url), matched_by = excluded.matched_by, attempts = r.attempts + 1, version = r.version + 1, processed_at = now()`,
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
    const links = await this.links(entity, ids);
    return new Map([...links].map(([external_id, { id }]) => [external_id, id]));
  }

  /** The same, with what they were matched by. */
  async links(entity: string, ids: readonly string[]): Promise<Map<string, { id: number; matched: Matched | null }>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.query<{ external_id: string; id: number; matched: Matched | null }>(
      `SELECT external_id, max(local_id) AS id, max(matched_by) AS matched FROM migration_records
       WHERE workspace_id = $1 AND entity = $2 AND external_id = ANY($3::text[]) AND local_id IS NOT NULL AND status IN ('created', 'updated', 'skipped') GROUP BY 1`,
      [currentWorkspaceId(), entity, ids],
    );
    return new Map(rows.map(({ external_id, ...link }) => [external_id, link]));
  }

  /** By records here: the record of a job that was matched with it. */
  async matches(jobId: number, entity: string, localIds: readonly number[]): Promise<Map<number, string>> {
    const rows = await this.database.query<{ local_id: number; external_id: string }>(
      `SELECT local_id, min(external_id) AS external_id FROM migration_records
       WHERE workspace_id = $1 AND job_id = $2 AND entity = $3 AND local_id = ANY($4::bigint[]) AND matched_by IS NOT NULL GROUP BY 1`,
      [currentWorkspaceId(), jobId, entity, localIds],
    );
    return new Map(rows.map(({ local_id, external_id }) => [local_id, external_id]));
  }

  /**
   * What is known of records that are here: what their source said when it was last taken over, and how migrations left them. A record
   * that came about with others is known by its name or address.
   */
  async origins(
    entity: string,
    sought: readonly { external_id: string; id: number; key: string | null }[],
  ): Promise<Map<string, Origin>> {
    if (sought.length === 0) return new Map();
    const rows = await this.database.query<Origin & { external_id: string }>(
      `SELECT s.external_id, k.said, l.left, coalesce(l.is_own, false) AS "isOwn"
       FROM unnest($3::text[], $4::bigint[], $5::text[]) AS s(external_id, id, key)
       LEFT JOIN LATERAL (SELECT r.said FROM migration_records r
         WHERE r.workspace_id = $1 AND r.entity = $2 AND r.external_id = s.external_id AND r.local_id = s.id AND r.status IN ('created', 'updated', 'skipped')
           AND r.said IS NOT NULL ORDER BY r.id DESC LIMIT 1) k ON true
       LEFT JOIN LATERAL (SELECT max(coalesce(r.left_at, CASE WHEN r.status = 'created' THEN 1 END)) AS left, bool_or(r.status IN ('created', 'updated')) AS is_own
         FROM migration_records r WHERE r.workspace_id = $1 AND r.entity = $2 AND r.external_id IN (s.external_id, s.key) AND r.local_id = s.id) l ON true`,
      [
        ...[currentWorkspaceId(), entity],
        ...[sought.map(({ external_id }) => external_id), sought.map(({ id }) => id), sought.map(({ key }) => key)],
      ],
    );
    return new Map(rows.map(({ external_id, ...origin }) => [external_id, origin]));
  }

  /** Records that wait, in the order of their coming. */
  waiting(jobId: number, entity: string, after: number, limit: number): Promise<Waiting[]> {
    return this.database.query<Waiting & Record<string, unknown>>(
      `SELECT id, external_id, line, coalesce(payload, '{}') AS payload, attempts FROM migration_records
       WHERE workspace_id = $1 AND job_id = $2 AND status = 'pending' AND entity = $3 AND id > $4 ORDER BY id LIMIT $5`,
      [currentWorkspaceId(), jobId, entity, after, limit],
    );
  }

  /** What a job has made or changed and not taken back, the last first. @param before id of the row */
  standing(jobId: number, entity: string, before: number, limit: number): Promise<StandingRecord[]> {
    return this.database.query<StandingRecord & Record<string, unknown>>(
      `SELECT r.id, r.local_id, r.status, r.changes, l.left, l.is_revised FROM migration_records r
       CROSS JOIN LATERAL (
         SELECT coalesce(max(o.left_at), 1) AS left, coalesce(bool_or(o.status = 'updated' AND o.job_id <> $2), false) AS is_revised
         FROM migration_records o WHERE o.workspace_id = $1 AND o.entity = $3 AND o.external_id = r.external_id AND o.local_id = r.local_id) l
       WHERE r.workspace_id = $1 AND r.job_id = $2 AND r.status IN ('created', 'updated') AND r.entity = $3 AND r.id < $4 ORDER BY r.id DESC LIMIT $5`,
      [currentWorkspaceId(), jobId, entity, before, limit],
    );
  }

  /** Records that were made are gone. */
  async takenBack(jobId: number, entity: string, localIds: readonly number[]): Promise<void> {
    await this.database.query(
      `UPDATE migration_records SET status = 'rolled_back', said = NULL, version = version + 1, processed_at = now()
       WHERE workspace_id = $1 AND job_id = $2 AND entity = $3 AND local_id = ANY($4::bigint[]) AND status = 'created'`,
      [currentWorkspaceId(), jobId, entity, localIds],
    );
  }

  /** What was changed is as it was, but for what somebody has changed since. @param back null for a record that is gone */
  async putBack(id: number, back: Pick<PutBack, 'version' | 'before' | 'kept'> | null): Promise<void> {
    const kept = back?.kept ?? [];
    await this.database.query(
      `UPDATE migration_records SET status = CASE WHEN cardinality($3::text[]) = 0 THEN 'rolled_back' ELSE status END, left_at = CASE WHEN left_at = $4 THEN $5 ELSE left_at END,
         warnings = (SELECT coalesce(array_agg(DISTINCT w), '{}') FROM unnest(warnings || (SELECT coalesce(array_agg(k || ': somebody has changed it since; it stays'), '{}') FROM unnest($3::text[]) k)) w),
         said = NULL, changes = CASE WHEN cardinality($3::text[]) = 0 THEN NULL ELSE (SELECT jsonb_object_agg(c.key, c.value) FROM jsonb_each(changes) c WHERE c.key = ANY($3::text[])) END,
         version = version + 1, processed_at = now()
       WHERE workspace_id = $1 AND id = $2`,
      [currentWorkspaceId(), id, kept, back?.before ?? 0, back?.version ?? null],
    );
  }

  /** Who was passed over by a job that matched is nobody's from then on: what it took for the same is so no more. */
  async forgetPairs(jobId: number): Promise<void> {
    await this.database.query(
      `UPDATE migration_records SET status = 'rolled_back', said = NULL, version = version + 1, processed_at = now()
       WHERE workspace_id = $1 AND job_id = $2 AND status = 'skipped'`,
      [currentWorkspaceId(), jobId],
    );
  }

  /** How many records of each state a job has, by entity. */
  async counts(jobId: number): Promise<{ entity: string; status: RecordStatus; n: number }[]> {
    return this.database.query(
      `SELECT entity, status, count(*)::integer AS n FROM migration_records WHERE workspace_id = $1 AND job_id = $2 GROUP BY 1, 2 ORDER BY 1, 2`,
      [currentWorkspaceId(), jobId],
    );
  }

  /** Whether records of an entity that a job brought in were taken back. */
  async hasGone(jobId: number, entity: string): Promise<boolean> {
    const rows = await this.database.query(
      `SELECT FROM migration_records WHERE workspace_id = $1 AND job_id = $2 AND entity = $3 AND status = 'rolled_back' LIMIT 1`,
      [currentWorkspaceId(), jobId, entity],
    );
    return rows.length > 0;
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
      `WITH again AS (UPDATE migration_records SET status = 'pending', error = NULL, attempts = CASE WHEN entity = 'attachments' THEN 0 ELSE attempts END, version = version + 1
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
