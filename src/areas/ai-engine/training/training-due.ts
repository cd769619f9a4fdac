import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { JobQueue } from '../../../platform/queue/job-queue';
import { INSERT_JOBS } from '../../../platform/queue/job-table';
import { PeriodicJobs } from '../../../platform/schedule/periodic-jobs';
import { DEFAULT_TASKS } from '../settings/ai-settings.values';
import { LEARNT_TASKS, LEAST_TICKETS } from '../tasks';
import { AGAIN_AFTER, TRAINING_JOB } from './training-job';

const EVERY_MS = 3_600_000;
/** Models that are begun at a time; the next hour brings the others. */
const MOST = 50;
/** Tickets that must have been closed or changed since for a model to be made again. */
const NEW_LABELS = 50;

const newest = `SELECT coalesce(m.trained_at, m.updated_at) AS updated_at FROM ai_models m
  WHERE m.workspace_id = s.workspace_id AND m.task = v.task ORDER BY m.created_at DESC, m.id DESC LIMIT 1`;

const changed = (least: number, since: string): string =>
  `(SELECT count(*) FROM (SELECT FROM tickets t WHERE t.workspace_id = s.workspace_id AND t.status IN ('resolved', 'closed') ${since} LIMIT ${least}) c) = ${least}`;

/** Models of workspaces where the engine works by itself that are missing, or a day old and behind. */
const DUE = `
  WITH due AS (
    SELECT s.workspace_id, v.task FROM ai_settings s
    CROSS JOIN unnest(ARRAY[${LEARNT_TASKS.map((task) => `'${task}'`).join(', ')}]) AS v (task)
    LEFT JOIN LATERAL (${newest}) n ON true
    WHERE s.enabled AND s.mode <> 'off'
      AND ('${JSON.stringify(DEFAULT_TASKS)}'::jsonb || s.tasks) ->> v.task = 'true'
      AND (n.updated_at IS NULL OR n.updated_at < now() - interval '${AGAIN_AFTER}')
      AND ${changed(LEAST_TICKETS, '')}
      AND (n.updated_at IS NULL OR ${changed(NEW_LABELS, 'AND t.updated_at > n.updated_at')})
    ORDER BY s.workspace_id LIMIT ${MOST}),
  made AS (
    INSERT INTO ai_models (workspace_id, task) SELECT workspace_id, task FROM due ON CONFLICT DO NOTHING RETURNING workspace_id, id)
  ${INSERT_JOBS} SELECT workspace_id, '${TRAINING_JOB}', id, 0 FROM made ORDER BY id RETURNING id`.replaceAll(
  /\s+/g,
  ' ',
);

/** Has models made where there are none yet, and made again where much was learnt since. */
@Injectable()
export class TrainingDue implements OnModuleInit {
  constructor(
    private readonly jobs: PeriodicJobs,
    private readonly database: Database,
    private readonly queue: JobQueue,
  ) {}

  onModuleInit(): void {
    this.jobs.register('train-ai-models', EVERY_MS, () => this.run());
  }

  /** Inside `Database.system()`. */
  async run(): Promise<void> {
    const begun = await this.database.query(DUE);
    if (begun.length > 0) this.database.afterCommit(() => this.queue.wake());
  }
}
