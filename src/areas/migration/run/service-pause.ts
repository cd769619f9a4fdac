import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import type { JobOutcome } from '../../../platform/queue/job-handler';
import type { Change } from '../../../platform/resource/change';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { MigrationJob } from '../jobs/migration-job.entity';
import { MAX_TRIES, pauseMs, type ServiceTrouble } from '../services/service-trouble';
import { placeOf } from './job-place';
import { JobSteps } from './job-steps';
import { RecordBook } from './record-book';

/** What becomes of a job whose service does not say what it is asked for: it is asked again later, waits for somebody, or ends. */
@Injectable()
export class ServicePause {
  private readonly logger = new Logger(ServicePause.name);

  constructor(
    @InjectStore(MigrationJob) private readonly jobs: Store<MigrationJob>,
    private readonly database: Database,
    private readonly steps: JobSteps,
    private readonly book: RecordBook,
  ) {}

  after(id: number, trouble: ServiceTrouble): Promise<JobOutcome> {
    return this.database.transaction(async () => {
      const job = await this.jobs.lockIfAny(id);
      if (job?.status !== 'running' && job?.status !== 'validating') return {};
      const place = placeOf(job.place);
      if (trouble.kind === 'busy' && place.tries < MAX_TRIES) {
        const retryInMs = pauseMs(place.tries, trouble.askedSeconds);
        this.logger.log(`Migration ${id} waits ${Math.round(retryInMs / 1_000)} s: ${trouble.message}`);
        await this.steps.note(id, {
          place: { ...place, tries: place.tries + 1 },
          active_ms: job.active_ms + retryInMs,
        });
        return { retryInMs };
      }
      await this.steps.note(id, { place: { ...place, tries: 0 } });
      const often = trouble.kind === 'busy' ? ` It was asked ${MAX_TRIES + 1} times.` : '';
      const last_error = `${trouble.message}${often}`;
      await this.book.log(id, 'error', last_error);
      await this.jobs.apply(job, endOf(job.status, trouble, last_error));
      return {};
    });
  }
}

/** A job that is let in nowhere any more waits for other credentials. */
function endOf(status: 'running' | 'validating', { kind }: ServiceTrouble, last_error: string): Change<MigrationJob> {
  if (status === 'validating') return { values: { status: 'invalid', last_error }, events: ['migration.job_failed'] };
  return kind === 'credentials'
    ? { values: { status: 'paused', last_error }, events: ['migration.job_paused'] }
    : { values: { status: 'failed', last_error }, events: ['migration.job_failed'] };
}
