import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../database/database';
import { PeriodicJobs, RUN_AGAIN } from '../schedule/periodic-jobs';
import { JobHandlers } from './job-handlers';

const EVERY_MS = 3_600_000;
const BATCH = 1_000;

/** Forgets jobs that died 30 days ago, and what was there only to be worked on. */
@Injectable()
export class PruneDeadJobs implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly handlers: JobHandlers,
    private readonly jobs: PeriodicJobs,
  ) {}

  onModuleInit(): void {
    this.jobs.register('prune-dead-jobs', EVERY_MS, () => this.prune());
  }

  /** One batch; a job's `due_at` is when it died. */
  private async prune(): Promise<typeof RUN_AGAIN | undefined> {
    const owners = this.handlers.all().filter(({ subjects }) => subjects !== undefined);
    const subjects = owners.map(
      ({ subjects: table = '' }, index) => `, s${index} AS (
        DELETE FROM ${table} s USING gone g
        WHERE g.kind = $${index + 1} AND s.workspace_id = g.workspace_id AND s.id = g.subject_id)`,
    );
    const [pruned] = await this.database.query<{ count: number }>(
      `WITH chosen AS MATERIALIZED (
         SELECT ctid AS row FROM work WHERE state = 'dead' AND due_at < now() - interval '30 days'
         LIMIT ${BATCH} FOR UPDATE SKIP LOCKED),
       gone AS (
         DELETE FROM work WHERE ctid = ANY (ARRAY(SELECT row FROM chosen)) RETURNING workspace_id, kind, subject_id)
       ${subjects.join('')}
       SELECT count(*) FROM gone`,
      owners.map(({ kind }) => kind),
    );
    return Number(pruned?.count) === BATCH ? RUN_AGAIN : undefined;
  }
}
