import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { Row } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { type Takeover, Takeovers } from '../../../platform/resource/takeover';
import { MigrationJob } from '../jobs/migration-job.entity';
import type { Turn } from './importing';
import { BEGINNING, type Place, placeOf } from './job-place';
import { JobSteps, PAGE } from './job-steps';
import { RecordBook } from './record-book';

/** What names each other goes in several rounds. */
const MAX_ROUNDS = 10;
const NEWEST = Number.MAX_SAFE_INTEGER;

/** Takes back what a job has made, the last first, page by page; what somebody has changed since, or names, stays and is told of. */
@Injectable()
export class RollingBack {
  constructor(
    @InjectStore(MigrationJob) private readonly jobs: Store<MigrationJob>,
    private readonly database: Database,
    private readonly steps: JobSteps,
    private readonly book: RecordBook,
    private readonly takeovers: Takeovers,
  ) {}

  async turn(job: Row<MigrationJob>, until: number): Promise<Turn> {
    const takeovers = this.takeovers.all().reverse();
    let at: Row<MigrationJob> | null = job;
    while (at && performance.now() < until) {
      const takeover: Takeover | undefined = takeovers[placeOf(at.place).step];
      at = takeover ? await this.page(at, takeover) : await this.finish(at);
    }
    return at ? 'again' : 'over';
  }

  private page(before: Row<MigrationJob>, takeover: Takeover): Promise<Row<MigrationJob> | null> {
    return this.database.transaction(async () => {
      const job = await this.jobs.lockIfAny(before.id);
      if (job?.status !== 'rolling_back' || job.pages !== before.pages) return null;
      const place = await this.takeBack(job, takeover, placeOf(job.place));
      const now = { place, pages: job.pages + 1 };
      await this.steps.note(job.id, now);
      return { ...job, ...now };
    });
  }

  private async takeBack({ id }: Row<MigrationJob>, takeover: Takeover, place: Place): Promise<Place> {
    const entity = takeover.resource.name;
    const rows = await this.database.query<{ id: number; local_id: number }>(
      `SELECT id, local_id FROM migration_records WHERE workspace_id = $1 AND job_id = $2 AND status = 'created' AND entity = $3 AND id < $4
       ORDER BY id DESC LIMIT $5`,
      [currentWorkspaceId(), id, entity, place.after === 0 ? NEWEST : place.after, PAGE],
    );
    const last = rows.at(-1);
    if (!last) {
      const isStuck = place.made === 0 || place.round >= MAX_ROUNDS;
      return isStuck
        ? { ...BEGINNING, rolled: true, step: place.step + 1 }
        : { ...place, after: 0, made: 0, round: place.round + 1 };
    }
    const gone = await takeover.takeBack(rows.map(({ local_id }) => local_id));
    await this.database.query(
      `UPDATE migration_records SET status = 'rolled_back', version = version + 1, processed_at = now()
       WHERE workspace_id = $1 AND job_id = $2 AND entity = $3 AND local_id = ANY($4::bigint[]) AND status = 'created'`,
      [currentWorkspaceId(), id, entity, gone],
    );
    return { ...place, after: last.id, made: place.made + gone.length };
  }

  private finish(before: Row<MigrationJob>): Promise<null> {
    return this.database.transaction(async () => {
      const job = await this.jobs.lockIfAny(before.id);
      if (job?.status !== 'rolling_back' || job.pages !== before.pages) return null;
      const kept = (await this.book.counts(job.id)).filter(({ status }) => status === 'created');
      for (const { entity, n } of kept)
        await this.book.log(
          job.id,
          'warning',
          `${n} stay: somebody has changed them since, or other records name them.`,
          { entity },
        );
      await this.book.log(job.id, 'info', 'Rolled back.');
      await this.jobs.apply(job, { values: { status: 'rolled_back' }, events: ['migration.job_rolled_back'] });
      return null;
    });
  }
}
