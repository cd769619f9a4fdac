import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { sql } from '../postgres/statement-batch';
import { JOBS } from '../queue/job-table';

/** What was under way at a moment, and may still write what it read before. */
export interface UnderWay {
  /** The last transaction of then. */
  tx: string;
  /** Jobs that ran, with the number of their claim. */
  jobs: [id: number, epoch: number][];
  /** Milliseconds since 1970. */
  since: number;
}

/** Longer than any attempt of a job, and than any transaction of a request, may take. */
const PATIENCE_MS = 600_000;

const NOW = `
  SELECT pg_current_xact_id()::text AS tx,
    coalesce((SELECT json_agg(json_build_array(w.id, w.epoch)) FROM ${JOBS} w
      WHERE w.workspace_id = $1 AND w.state = 'running' AND w.id <> $2), '[]'::json) AS jobs`;

const REST = `
  SELECT pg_snapshot_xmin(pg_current_snapshot()) > $1::text::xid8 AS settled,
    EXISTS (SELECT FROM ${JOBS} w JOIN json_to_recordset($3::json) AS j(id bigint, epoch integer) ON j.id = w.id AND j.epoch = w.epoch
      WHERE w.workspace_id = $2 AND w.state = 'running' AND w.lease_until > now()) AS busy`;

/** Tells when all that was under way in a workspace is over: from then on nobody writes what was read before. As the platform. */
@Injectable()
export class Standstill {
  constructor(private readonly database: Database) {}

  /** @param job the job that asks */
  async begin(workspaceId: number, job: number): Promise<UnderWay> {
    const [row] = await this.database.query<Omit<UnderWay, 'since'>>(NOW, [workspaceId, job]);
    return { tx: row?.tx ?? '0', jobs: row?.jobs ?? [], since: Date.now() };
  }

  async reached(workspaceId: number, { tx, jobs, since }: UnderWay): Promise<boolean> {
    if (Date.now() - since > PATIENCE_MS) return true;
    const those = JSON.stringify(jobs.map(([id, epoch]) => ({ id, epoch })));
    const { rest } = await this.database.batch({
      rest: sql<{ settled: boolean; busy: boolean }>(REST, [tx, workspaceId, those]),
    });
    return rest[0]?.settled === true && !rest[0].busy;
  }
}
