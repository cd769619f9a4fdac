import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import type { Row, Values } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { MigrationJob } from '../jobs/migration-job.entity';
import { ServiceTrouble } from '../services/service-trouble';
import { ArchivedFiles } from './archived-files';
import { FILES, takesFiles } from './coming-file';
import { ComingFiles } from './coming-files';
import { Fetching } from './fetching';
import { added, BEGINNING, type Delta, type Place, placeOf, restOf, type Tally } from './job-place';
import { JobSteps, PAGE, type Step, stepAt } from './job-steps';
import type { Input } from './page-entries';
import { PageWriter } from './page-writer';
import { leavesOut } from './left-out';
import { RecordBook } from './record-book';
import { goOn, type Turn } from './turns';

/** Records that name each other get so many turns. */
const MAX_ROUNDS = 50;
const KEPT_MS = 30 * 86_400_000;

type Deltas = Readonly<Record<string, Delta>>;

/**
 * Brings records in, page by page: a page, the place behind it and what it came to are one unit of work, so whoever dies leaves
 * nothing half done, and whoever comes second is late. Nothing is held between pages.
 */
@Injectable()
export class Importing {
  constructor(
    @InjectStore(MigrationJob) private readonly jobs: Store<MigrationJob>,
    private readonly database: Database,
    private readonly steps: JobSteps,
    private readonly writer: PageWriter,
    private readonly book: RecordBook,
    private readonly coming: ComingFiles,
    private readonly fetching: Fetching,
    private readonly archived: ArchivedFiles,
  ) {}

  /** @param until moment of `performance.now()` at which others have their turn */
  async turn(job: Row<MigrationJob>, until: number): Promise<Turn> {
    const steps = await this.steps.of(job);
    return goOn(job, until, async (at) => {
      const stored = placeOf(at.place);
      const step = stepAt(steps, stored);
      if (!step) {
        const files = await this.fromFiles(at);
        return files === 'none' ? this.finish(at) : files;
      }
      const place = step.index > stored.step ? beginningOf(step, stored) : stored;
      return place.phase === 'file' && step.feed
        ? this.fromFeed(at, step, place, until)
        : this.fromRest(at, step, place);
    });
  }

  /** Pages of a source until it ends, or the turn does. @returns the job as it is then; null when it is no longer running */
  private async fromFeed(
    job: Row<MigrationJob>,
    step: Step,
    place: Place,
    until: number,
  ): Promise<Row<MigrationJob> | null> {
    let at = job;
    if (!step.feed) return at;
    let begun = performance.now();
    try {
      for await (const { records, next, total, files = [] } of step.feed(place)) {
        const facts = { begun, entity: step.entity, total, isRead: next.phase === 'rest' };
        const work = async (): Promise<Deltas> => ({
          ...(await this.write(job, step, records)),
          ...(files.length > 0 && takesFiles(job) ? { [FILES]: await this.coming.note(job, files) } : {}),
        });
        const done = await this.commit(at, next, work, facts);
        if (!done || performance.now() >= until) return done;
        at = done;
        begun = performance.now();
      }
    } catch (error) {
      if (!isUnsupported(error, step, placeOf(at.place))) throw error;
      // What is refused once will be again: the rest of the migration does without.
      return this.commit(at, restOf(place), async () => {
        await this.book.log(job.id, 'warning', `Nothing comes of it: ${error.message}`, { entity: step.entity });
        return {};
      });
    }
    return this.commit(at, restOf(place), nothing, { entity: step.entity, isRead: true });
  }

  /** The records that wait: one page, another round, or the end of the step. */
  private async fromRest(job: Row<MigrationJob>, step: Step, place: Place): Promise<Row<MigrationJob> | null> {
    const { entity } = step;
    const waiting = await this.database.transaction(() => this.book.waiting(job.id, entity, place.after, PAGE));
    const last = waiting.at(-1);
    if (last) {
      const inputs = waiting.map(({ payload, line, external_id }): Input => ({
        fields: payload,
        problem: null,
        line,
        external_id,
      }));
      let made = 0;
      return this.commit(
        job,
        () => ({ ...place, phase: 'rest', after: last.id, made: place.made + made }),
        async () => {
          const deltas = await this.write(job, step, inputs, place.isLast);
          made = deltas[entity]?.created ?? 0;
          return deltas;
        },
      );
    }
    const isStuck = place.made === 0 || place.round >= MAX_ROUNDS;
    const isLast = isStuck && leavesOut(job);
    if (!isStuck || (isLast && !place.isLast)) {
      const round = { phase: 'rest', after: 0, round: place.round + 1, made: 0, isLast } as const;
      return this.commit(job, { ...place, ...round }, nothing);
    }
    return this.commit(job, beginningOf({ index: step.index + 1 }, place), async () => {
      const given = await this.book.giveUpWaiting(job.id, entity);
      return { [entity]: { failed: given, pending: -given } };
    });
  }

  /** The next files of records that are here. */
  private async fromFiles(job: Row<MigrationJob>): Promise<Row<MigrationJob> | null | 'none'> {
    const begun = performance.now();
    const told = await this.archived.page(job, placeOf(job.place));
    if (told)
      return this.commit(job, told.next, async () => ({ [FILES]: await this.coming.note(job, told.files) }), {
        begun,
        entity: FILES,
      });
    const fetched = await this.fetching.some(job);
    if (fetched.length === 0) return 'none';
    try {
      const next = { ...placeOf(job.place), tries: 0 };
      return await this.commit(job, next, () => this.fetching.keep(job, fetched), { begun, entity: FILES });
    } finally {
      await this.fetching.giveBack(fetched);
    }
  }

  private write(
    job: Row<MigrationJob>,
    { takeover, mapping }: Step,
    inputs: readonly Input[],
    isLast = false,
  ): Promise<Deltas> {
    const { id: jobId, options } = job;
    return this.writer.write({ jobId, takeover, mapping, options, leavesOut: leavesOut(job), isLast }, inputs);
  }

  /** One page, and the place behind it. @returns the job as it is then; null when it is no longer running, or somebody else was faster */
  private commit(
    before: Row<MigrationJob>,
    next: Place | (() => Place),
    work: () => Promise<Deltas>,
    { begun = performance.now(), entity, total, isRead = false }: PageFacts = {},
  ): Promise<Row<MigrationJob> | null> {
    return this.steps.move(before, 'running', async (job) => {
      const deltas = await work();
      const tally = { ...job.tally };
      for (const [entity, more] of Object.entries(deltas)) tally[entity] = added(tally[entity], more);
      if (entity !== undefined) tally[entity] = counted(tally[entity], total ?? null);
      const processed = Object.values(tally).reduce((sum, each) => sum + each.processed, 0);
      const active_ms = job.active_ms + Math.ceil(performance.now() - begun);
      const place = typeof next === 'function' ? next() : next;
      const known = Object.values(tally).reduce((sum, each) => sum + each.total, 0);
      const isUpToDate = isRead && entity !== undefined && job.read_from !== null;
      const read_until = isUpToDate ? { ...job.read_until, [entity]: job.read_from } : job.read_until;
      const whole = Math.max(job.total, known);
      const now = { place, tally, processed, total: whole, active_ms, pages: job.pages + 1, read_until };
      await this.steps.note(job.id, now);
      const after: Row<MigrationJob> = { ...job, ...now };
      if (tenths(after) > tenths(job)) await this.jobs.announce(job.id, ['migration.job_progress']);
      return (await this.stopped(after)) ? null : after;
    });
  }

  /** Whether it has failed so often that somebody should look. */
  private async stopped(job: Row<MigrationJob>): Promise<boolean> {
    const most = job.options.stop_after_errors ?? null;
    const failures = Object.values(job.tally).reduce((sum, { failed }) => sum + failed, 0);
    if (most === null || failures < most) return false;
    const last_error = `Paused after ${failures} failures.`;
    await this.book.log(job.id, 'warning', last_error);
    await this.jobs.apply(job, { values: { status: 'paused', last_error }, events: ['migration.job_paused'] });
    return true;
  }

  private finish(before: Row<MigrationJob>): Promise<Turn | null> {
    return this.steps.move(before, 'running', async (job): Promise<Turn> => {
      // Records that were pushed meanwhile have their turn.
      const counts = await this.book.counts(job.id);
      if (
        counts.some(({ status, entity }) => status === 'pending' && (entity === FILES || this.steps.takes(job, entity)))
      ) {
        await this.steps.note(job.id, { place: AGAIN, pages: job.pages + 1 });
        return 'again';
      }
      const failures = Object.values(job.tally).reduce((sum, { failed }) => sum + failed, 0);
      const finished_at = await this.database.moment();
      const values: Values<MigrationJob> = {
        status: failures > 0 ? 'completed_with_errors' : 'completed',
        finished_at,
        rollback_available_until: new Date(Date.parse(finished_at) + KEPT_MS).toISOString(),
      };
      await this.book.log(job.id, 'info', 'Completed.', { data: job.tally });
      await this.jobs.apply(job, { values, events: ['migration.job_completed'] });
      return 'over';
    });
  }
}

/** Once more over those that wait, without the files. */
export const AGAIN: Place = { ...BEGINNING, phase: 'rest', restOnly: true };

/** Where a step begins. */
function beginningOf({ index }: Pick<Step, 'index'>, { restOnly }: Place): Place {
  return { ...BEGINNING, restOnly, phase: restOnly ? 'rest' : 'file', step: index };
}

/** What is known of a page besides its records. */
interface PageFacts {
  /** Moment of `performance.now()` at which it was begun. */
  begun?: number;
  entity?: string;
  /** How many the source says there are. */
  total?: number | null | undefined;
  /** All of the entity was read. */
  isRead?: boolean;
}

/** An entity has as many records as its source says, and no fewer than came. */
function counted(tally: Tally | undefined, total: number | null): Tally {
  const known = added(tally, {});
  return { ...known, total: Math.max(known.total, total ?? 0, known.processed + known.pending) };
}

/** Whether a service refuses an entity as a whole: its first page. */
function isUnsupported(error: unknown, { index }: Step, { step, cursor, after }: Place): error is ServiceTrouble {
  const isBegun = step === index && (cursor !== null || after > 0);
  return error instanceof ServiceTrouble && error.kind === 'refused' && !isBegun;
}

const nothing = (): Promise<Deltas> => Promise.resolve({});

/** Tenths of the whole that are done. */
function tenths({ total, processed }: Pick<MigrationJob, 'total' | 'processed'>): number {
  return total === 0 ? 0 : Math.floor((10 * processed) / total);
}
