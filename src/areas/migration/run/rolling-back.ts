import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { ApiError } from '../../../platform/errors/api-error';
import type { Changes } from '../../../platform/events/event-rows';
import type { Row } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { type Left, type Takeover, Takeovers, type Told } from '../../../platform/resource/takeover';
import { MigrationJob } from '../jobs/migration-job.entity';
import { ImportedFiles } from '../../attachments/intake/imported-files';
import { FILES } from './coming-file';
import { goOn, type Turn } from './turns';
import { BEGINNING, type Place, placeOf } from './job-place';
import { JobSteps, PAGE } from './job-steps';
import { RecordBook } from './record-book';

/** What names each other goes in several rounds. */
const MAX_ROUNDS = 10;
const NEWEST = Number.MAX_SAFE_INTEGER;
const STAYING = {
  created: 'stay: somebody, or a later migration, has changed them since, or other records name them.',
  updated: 'stay as they are: somebody has changed them since.',
} as const;

/** What is taken back together: records of an entity. */
interface Part {
  entity: string;
  /** Null for files, which no update changes. */
  takeover: Takeover | null;
  takeBack(taken: readonly Left[]): Promise<number[]>;
}

const partOf = (takeover: Takeover): Part => ({
  entity: takeover.resource.name,
  takeover,
  takeBack: (taken) => takeover.takeBack(taken),
});

/** Takes back what a job has made, the last first, page by page; what somebody has changed since, or names, stays and is told of. */
@Injectable()
export class RollingBack {
  private readonly files: Part;

  constructor(
    @InjectStore(MigrationJob) private readonly jobs: Store<MigrationJob>,
    private readonly database: Database,
    private readonly steps: JobSteps,
    private readonly book: RecordBook,
    private readonly takeovers: Takeovers,
    files: ImportedFiles,
  ) {
    this.files = { entity: FILES, takeover: null, takeBack: (taken) => files.takeBack(taken) };
  }

  async turn(job: Row<MigrationJob>, until: number): Promise<Turn> {
    const parts: Part[] = [this.files, ...this.takeovers.all().reverse().map(partOf)];
    return goOn(job, until, (at) => {
      const part: Part | undefined = parts[placeOf(at.place).step];
      return part ? this.page(at, part) : this.finish(at);
    });
  }

  private page(before: Row<MigrationJob>, part: Part): Promise<Row<MigrationJob> | null> {
    return this.steps.move(before, 'rolling_back', async (job) => {
      const place = await this.takeBack(job, part, placeOf(job.place));
      const now = { place, pages: job.pages + 1 };
      await this.steps.note(job.id, now);
      return { ...job, ...now };
    });
  }

  private async takeBack(job: Row<MigrationJob>, part: Part, place: Place): Promise<Place> {
    const { entity, takeover } = part;
    const before = place.after === 0 ? NEWEST : place.after;
    const rows = await this.book.standing(job.id, entity, before, PAGE);
    const last = rows.at(-1);
    if (!last) {
      const isStuck = place.made === 0 || place.round >= MAX_ROUNDS;
      if (isStuck && takeover?.cleared && (await this.book.hasGone(job.id, entity))) await takeover.cleared();
      return isStuck
        ? { ...BEGINNING, rolled: true, step: place.step + 1 }
        : { ...place, after: 0, made: 0, round: place.round + 1 };
    }
    let back = 0;
    for (const row of rows)
      if (takeover && row.changes && (await this.putBack(job, takeover, row.id, row.local_id, row.changes))) back++;
    // What a later migration has brought up to date goes when that has been taken back.
    const made = rows.filter(({ status, is_revised }) => status === 'created' && !is_revised);
    const gone = await part.takeBack(made.map(({ local_id: id, left: version }) => ({ id, version })));
    await this.book.takenBack(job.id, entity, gone);
    return { ...place, after: last.id, made: place.made + gone.length + back };
  }

  /** Puts back what an update has changed, as far as nobody has changed it since. @returns whether that is all of it */
  private async putBack(
    { options }: Row<MigrationJob>,
    takeover: Takeover,
    recordId: number,
    id: number,
    changes: Changes,
  ): Promise<boolean> {
    const told: Told = options.suppress_events === false ? 'marked' : 'none';
    try {
      const back = await this.database.savepoint(() => takeover.putBack(id, changes, told));
      await this.book.putBack(recordId, back);
      return back?.kept.length === 0;
    } catch (error) {
      // Somebody else has by now what it had: an address, a name.
      if (!(error instanceof ApiError && error.status < 500)) throw error;
      await this.book.putBack(recordId, { before: 0, version: 0, kept: Object.keys(changes) });
      return false;
    }
  }

  private finish(before: Row<MigrationJob>): Promise<null> {
    return this.steps.move(before, 'rolling_back', async (job) => {
      const kept = (await this.book.counts(job.id)).filter(
        ({ status }) => status === 'created' || status === 'updated',
      );
      for (const { entity, status, n } of kept)
        await this.book.log(job.id, 'warning', `${n} ${STAYING[status === 'updated' ? 'updated' : 'created']}`, {
          entity,
        });
      if ((job.options.match_by ?? 'external_id') !== 'external_id') await this.book.forgetPairs(job.id);
      await this.book.log(job.id, 'info', 'Rolled back.');
      await this.jobs.apply(job, { values: { status: 'rolled_back' }, events: ['migration.job_rolled_back'] });
      return null;
    });
  }
}
