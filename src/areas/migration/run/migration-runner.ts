import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { isTransient } from '../../../platform/database/database-errors';
import { FileGone } from '../../../platform/files/file-store';
import type { Job, JobHandler, JobOutcome } from '../../../platform/queue/job-handler';
import { JobQueue } from '../../../platform/queue/job-queue';
import type { Row } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { MigrationJob } from '../jobs/migration-job.entity';
import { serviceOf } from '../services/services';
import { ServiceTrouble } from '../services/service-trouble';
import { Checking } from './checking';
import { Importing } from './importing';
import type { Turn } from './turns';
import { RecordBook } from './record-book';
import { RollingBack } from './rolling-back';
import { Sampling } from './sampling';
import { ServicePause } from './service-pause';

export const MIGRATION_JOB = 'migration';

/** So long a job goes on; then others have their turn. */
const TURN_MS = 3_000;

/** Does migration jobs, one at a time in a workspace and some seconds at a time: what is done stays done, whoever does the rest. */
@Injectable()
export class MigrationRunner implements JobHandler, OnModuleInit {
  readonly kind = MIGRATION_JOB;
  readonly perGroup = 1;
  readonly perWorkspace = 1;
  readonly leaseMs = 300_000;
  /** Pages are compared before anything is written, so two at once do no harm. */
  readonly heldMs = 15_000;
  private readonly logger = new Logger(MigrationRunner.name);

  constructor(
    @InjectStore(MigrationJob) private readonly jobs: Store<MigrationJob>,
    private readonly database: Database,
    private readonly queue: JobQueue,
    private readonly checking: Checking,
    private readonly sampling: Sampling,
    private readonly pause: ServicePause,
    private readonly importing: Importing,
    private readonly rollingBack: RollingBack,
    private readonly book: RecordBook,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  async perform({ subject_id: id }: Job): Promise<JobOutcome> {
    const job = await this.database.transaction(() => this.jobs.find(id));
    if (!job) return {};
    try {
      return (await this.turn(job, performance.now() + TURN_MS)) === 'again' ? { retryInMs: 0 } : {};
    } catch (error) {
      if (error instanceof ServiceTrouble) return this.pause.after(id, error);
      // What passes is tried again by the queue.
      if (isTransient(error)) throw error;
      this.logger.error(`Migration ${id}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      await this.fail(id, error instanceof FileGone ? 'A file of it is gone; send it again.' : reasonOf(error));
      return {};
    }
  }

  private turn(job: Row<MigrationJob>, until: number): Promise<Turn> {
    switch (job.status) {
      case 'validating':
        return serviceOf(job.source) ? this.sampling.turn(job, until) : this.checking.turn(job, until);
      case 'running':
        return this.importing.turn(job, until);
      case 'rolling_back':
        return this.rollingBack.turn(job, until);
      default:
        return Promise.resolve('over');
    }
  }

  private fail(id: number, last_error: string): Promise<void> {
    return this.database.transaction(async () => {
      const job = await this.jobs.lockIfAny(id);
      if (job?.status !== 'validating' && job?.status !== 'running' && job?.status !== 'rolling_back') return;
      await this.book.log(id, 'error', last_error);
      const status = job.status === 'validating' ? 'invalid' : 'failed';
      await this.jobs.apply(job, { values: { status, last_error }, events: ['migration.job_failed'] });
    });
  }
}

function reasonOf(error: unknown): string {
  return `It could not go on: ${error instanceof Error ? error.message.slice(0, 500) : 'nobody knows why'}`;
}
