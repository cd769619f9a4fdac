import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { Row, Values } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { ownJson } from '../../../platform/text/json';
import { firstCharacters } from '../../../platform/text/normalise';
import { MigrationJob } from '../jobs/migration-job.entity';
import type { EntityMapping } from '../mapping/mapping.dto';
import { CODE } from '../mapping/targets';
import { proposed, type Seen } from '../mapping/proposal';
import type { Turn } from './turns';
import { added, BEGINNING, EMPTY, type Place, placeOf, type Tally } from './job-place';
import { JobSteps, PAGE, type Step, stepAt } from './job-steps';
import { type Looked, lookedAt, Looking, SeenFields } from './looking';
import { RecordBook } from './record-book';
import { valuesOfNames } from '../sources/names';
import { soundJson } from './sound';
import { nothingFound, type SourceField, type Validation } from './validation';

/** Records that a proposal is made of. */
const SURVEYED = 2_000;

/**
 * Looks at everything before anything is written: proposes what becomes of each field, and tells what has no place yet and what is
 * wrong. What it has found is stored with the place, turn by turn.
 */
@Injectable()
export class Checking {
  constructor(
    @InjectStore(MigrationJob) private readonly jobs: Store<MigrationJob>,
    private readonly database: Database,
    private readonly steps: JobSteps,
    private readonly book: RecordBook,
    private readonly looking: Looking,
  ) {}

  async turn(before: Row<MigrationJob>, until: number): Promise<Turn> {
    const job = before.validation === null ? await this.survey(before) : before;
    if (!job) return 'over';
    const steps = await this.steps.of(job);
    const found: Validation = { ...nothingFound(), ...job.validation };
    const tally: Record<string, Tally> = { ...job.tally };
    let place = placeOf(job.place);
    let step = stepAt(steps, place);
    for (; step && performance.now() < until; step = stepAt(steps, place)) {
      if (step.index > place.step) place = { ...BEGINNING, step: step.index };
      if (place.phase === 'file' && step.feed) {
        let isOver = true;
        for await (const { records, next } of step.feed(place)) {
          await this.looking.look(job, step.entity, lookedAt(records, step.mapping), { found, tally }, steps);
          place = next;
          isOver = performance.now() < until;
          if (!isOver) break;
        }
        if (isOver) place = { ...BEGINNING, step: step.index, phase: 'rest' };
        continue;
      }
      place = await this.fromRest(job, step, place, found, tally, steps);
    }
    return this.save(job, place, found, tally, step === undefined);
  }

  private async fromRest(
    job: Row<MigrationJob>,
    step: Step,
    place: Place,
    found: Validation,
    tally: Record<string, Tally>,
    steps: readonly Step[],
  ): Promise<Place> {
    const waiting = await this.database.transaction(() => this.book.waiting(job.id, step.entity, place.after, PAGE));
    const last = waiting.at(-1);
    if (!last) return { ...BEGINNING, step: step.index + 1 };
    const looked = waiting.map(({ payload, line, external_id }): Looked => ({
      line,
      outcome: step.mapping(payload, line, external_id),
    }));
    await this.looking.look(job, step.entity, looked, { found, tally }, steps);
    tally[step.entity] = added(tally[step.entity], { pending: looked.length });
    return { ...place, phase: 'rest', after: last.id };
  }

  /** Proposes the mapping. @returns the job with it; null when it is no longer being validated */
  private async survey(before: Row<MigrationJob>): Promise<Row<MigrationJob> | null> {
    const steps = await this.steps.of(before);
    const mapping: Record<string, EntityMapping> = { ...before.mapping };
    const found = nothingFound();
    const names = await this.steps.names(before);
    for (const step of steps) {
      const seen = await this.seen(before, step);
      const hasCodes = before.options.match_by === 'code' && step.takeover.idsOfCodes !== undefined;
      const codes = hasCodes && before.source === 'archive' ? { code: CODE } : {};
      const given = { ...OF_SOURCE[before.source], ...codes, ...before.mapping[step.entity]?.fields };
      // What this service works out by itself is nothing to bring along.
      const isForeign = before.source !== 'archive';
      const values = valuesOfNames(step.takeover, names, before.mapping[step.entity]?.values);
      const own = proposed(
        step.takeover,
        seen,
        Object.assign({}, before.mapping[step.entity], { fields: given, values }),
        isForeign,
        hasCodes,
      );
      mapping[step.entity] = own;
      found.entities.push({
        entity: step.entity,
        records: 0,
        valid: 0,
        invalid: 0,
        updates: 0,
        fields: shownFields(seen, own),
      });
    }
    return this.steps.move(before, 'validating', async (job) => {
      await this.steps.note(job.id, { pages: job.pages + 1, place: BEGINNING, tally: {} });
      const now = { mapping, validation: found };
      await this.jobs.apply(job, { values: now, events: [] });
      return { ...job, ...now, pages: job.pages + 1, place: BEGINNING, tally: {} };
    });
  }

  /** What the first records say. */
  private async seen(job: Row<MigrationJob>, { feed, entity }: Step): Promise<Seen[]> {
    const fields = new SeenFields();
    let n = 0;
    if (feed)
      for await (const { records } of feed(BEGINNING)) {
        for (const record of records) if (record.fields) fields.note(record.fields);
        n += records.length;
        if (n >= SURVEYED) break;
      }
    const waiting = await this.database.transaction(() => this.book.waiting(job.id, entity, 0, SURVEYED));
    for (const { payload } of waiting) fields.note(payload);
    return fields.all();
  }

  private save(
    before: Row<MigrationJob>,
    place: Place,
    found: Validation,
    tally: Record<string, Tally>,
    isOver: boolean,
  ): Promise<Turn> {
    return this.database.transaction(async () => {
      const job = await this.jobs.lockIfAny(before.id);
      if (job?.status !== 'validating' || job.pages !== before.pages) return 'over';
      const total = Object.values(tally).reduce((sum, each) => sum + each.total, 0);
      const next = isOver ? BEGINNING : place;
      await this.steps.note(job.id, { place: next, tally: { ...emptied(tally) }, total, pages: job.pages + 1 });
      if (!isOver) {
        // A change of which nobody is told: it goes on.
        await this.database.query('UPDATE migration_jobs SET validation = $3 WHERE workspace_id = $1 AND id = $2', [
          currentWorkspaceId(),
          job.id,
          soundJson(found),
        ]);
        return 'again';
      }
      const checked_at = await this.database.moment();
      const validation = ownJson<Validation>(soundJson({ ...found, checked_at }));
      const isReady = found.entities.some(({ valid }) => valid > 0);
      const values: Values<MigrationJob> = { status: isReady ? 'ready' : 'invalid', validation };
      await this.jobs.apply(job, { values, events: ['migration.job_validated'] });
      return 'over';
    });
  }
}

/** What entities have, as nothing came of it yet. */
export const emptied = (tally: Record<string, Tally>): Record<string, Tally> =>
  Object.fromEntries(
    Object.entries(tally).map(([entity, { total, pending }]) => [entity, { ...EMPTY, total, pending }]),
  );

/** Our own records are known elsewhere by their id. */
const OF_SOURCE: Readonly<Record<string, Record<string, string | null>>> = {
  archive: { id: 'external_id', external_id: null, code: null, url: null },
};

/** The fields of a source with a sample of each, and what they become. */
export function shownFields(seen: readonly Seen[], { fields = {} }: EntityMapping): SourceField[] {
  return seen.map(({ name, values: [sample = null] }) => ({
    name,
    sample: sample === null ? null : firstCharacters(sample, 120),
    field: fields[name] ?? null,
  }));
}
