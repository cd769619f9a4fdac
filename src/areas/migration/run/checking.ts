import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { textFault } from '../../../platform/http/json-body';
import type { Row, Values } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { ownJson } from '../../../platform/text/json';
import { MigrationJob } from '../jobs/migration-job.entity';
import { textOf } from '../mapping/cell-values';
import type { EntityMapping } from '../mapping/mapping.dto';
import { proposed, type Seen } from '../mapping/proposal';
import type { Link, MappedRecord, Refused } from '../mapping/record-mapper';
import type { Turn } from './importing';
import { added, BEGINNING, EMPTY, type Place, placeOf, type Tally } from './job-place';
import { JobSteps, PAGE, type Step, stepAt } from './job-steps';
import { RecordBook } from './record-book';
import { References } from './references';
import { soundJson } from './sound';
import { MAX_PROBLEMS, MAX_UNMAPPED, nothingFound, type SourceField, type Validation } from './validation';

/** Records that a proposal is made of. */
const SURVEYED = 2_000;
/** Different values of a field that are remembered for it. */
const MAX_VALUES = 300;

/** A record as it is looked at. */
interface Looked {
  line: number | null;
  outcome: MappedRecord | Refused;
}

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
    private readonly references: References,
  ) {}

  async turn(before: Row<MigrationJob>, until: number): Promise<Turn> {
    const job = before.validation === null ? await this.survey(before) : before;
    if (!job) return 'over';
    const steps = await this.steps.of(job);
    const found = job.validation ?? nothingFound();
    const tally: Record<string, Tally> = { ...job.tally };
    let place = placeOf(job.place);
    let step = stepAt(steps, place);
    for (; step && performance.now() < until; step = stepAt(steps, place)) {
      if (step.index > place.step) place = { ...BEGINNING, step: step.index };
      if (place.phase === 'file' && step.file) {
        let isOver = true;
        for await (const { records, next } of this.steps.pages(step.file, place)) {
          const { mapping } = step;
          const looked = records.map(({ fields, problem, line }): Looked => ({
            line,
            outcome: fields ? mapping(fields, line) : { external_id: '', problem: problem ?? NO_RECORD },
          }));
          await this.look(job, step, looked, found, tally, steps);
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
    await this.look(job, step, looked, found, tally, steps);
    tally[step.entity] = added(tally[step.entity], { pending: looked.length });
    return { ...place, phase: 'rest', after: last.id };
  }

  /** Counts records, and notes what has no place and what is wrong. */
  private async look(
    job: Row<MigrationJob>,
    { entity }: Step,
    looked: readonly Looked[],
    found: Validation,
    tally: Record<string, Tally>,
    steps: readonly Step[],
  ): Promise<void> {
    const coming = new Set([...steps.map((step) => step.entity), ...(job.options.create_missing ?? [])]);
    const links = looked.flatMap(({ outcome }) => ('links' in outcome ? outcome.links : []));
    const asked = links.filter(({ resource }) => !coming.has(resource));
    const resolved = await this.database.transaction(() => this.references.find(asked, job.options, null));
    const checked = found.entities.find((each) => each.entity === entity);
    for (const { line, outcome } of looked) {
      const missing =
        'links' in outcome
          ? outcome.links.find((link) => !coming.has(link.resource) && resolved.of(link) === undefined)
          : undefined;
      const problem = missing ? nameless(missing) : 'problem' in outcome ? outcome.problem : null;
      const value = missing
        ? { field: missing.field, value: missing.said.slice(0, 200) }
        : 'unmapped' in outcome
          ? outcome.unmapped
          : undefined;
      if (value) noteUnmapped(found, entity, value);
      if (problem && found.problems.length < MAX_PROBLEMS)
        found.problems.push({ entity, line, external_id: outcome.external_id || null, ...problem });
      if (checked) {
        checked.records++;
        if (problem) checked.invalid++;
        else checked.valid++;
      }
    }
    tally[entity] = added(tally[entity], { total: looked.length });
  }

  /** Proposes the mapping. @returns the job with it; null when it is no longer being validated */
  private async survey(before: Row<MigrationJob>): Promise<Row<MigrationJob> | null> {
    const steps = await this.steps.of(before);
    const mapping: Record<string, EntityMapping> = { ...before.mapping };
    const found = nothingFound();
    for (const step of steps) {
      const seen = await this.seen(before, step);
      const given = { ...OF_SOURCE[before.source], ...before.mapping[step.entity]?.fields };
      // What this service works out by itself is nothing to bring along.
      const isForeign = before.source !== 'archive';
      const own = proposed(
        step.takeover,
        seen,
        Object.assign({}, before.mapping[step.entity], { fields: given }),
        isForeign,
      );
      mapping[step.entity] = own;
      const fields = seen.map(({ name, values: [sample = null] }): SourceField => ({
        name,
        sample: sample === null ? null : sample.slice(0, 120).toWellFormed(),
        field: own.fields?.[name] ?? null,
      }));
      found.entities.push({ entity: step.entity, records: 0, valid: 0, invalid: 0, fields });
    }
    return this.database.transaction(async () => {
      const job = await this.jobs.lockIfAny(before.id);
      if (job?.status !== 'validating' || job.pages !== before.pages) return null;
      await this.steps.note(job.id, { pages: job.pages + 1, place: BEGINNING, tally: {} });
      const now = { mapping, validation: found };
      await this.jobs.apply(job, { values: now, events: [] });
      return { ...job, ...now, pages: job.pages + 1, place: BEGINNING, tally: {} };
    });
  }

  /** What the first records say. */
  private async seen(job: Row<MigrationJob>, { file, entity }: Step): Promise<Seen[]> {
    const fields = new Map<string, Set<string>>();
    const note = (record: Readonly<Record<string, unknown>>): void => {
      for (const [name, value] of Object.entries(record)) {
        const values = fields.get(name) ?? new Set<string>();
        fields.set(name, values);
        const isSaid = value !== null && value !== '' && typeof value !== 'object';
        const text = isSaid ? textOf(value).trim().slice(0, 200) : '';
        if (isSaid && values.size < MAX_VALUES && !textFault(text)) values.add(text);
      }
    };
    let n = 0;
    if (file)
      for await (const { records } of this.steps.pages(file, BEGINNING)) {
        for (const record of records) if (record.fields) note(record.fields);
        n += records.length;
        if (n >= SURVEYED) break;
      }
    const waiting = await this.database.transaction(() => this.book.waiting(job.id, entity, 0, SURVEYED));
    for (const { payload } of waiting) note(payload);
    return [...fields].slice(0, 500).map(([name, values]) => ({ name, values: [...values] }));
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
      await this.steps.note(job.id, { place: next, tally: { ...EMPTIED(tally) }, total, pages: job.pages + 1 });
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

/** What an entity has, as nothing came of it yet. */
const EMPTIED = (tally: Record<string, Tally>): Record<string, Tally> =>
  Object.fromEntries(
    Object.entries(tally).map(([entity, { total, pending }]) => [entity, { ...EMPTY, total, pending }]),
  );

const NO_RECORD = { code: 'malformed', field: null, message: 'It cannot be read.' };

/** Our own records are known elsewhere by their id. */
const OF_SOURCE: Readonly<Record<string, Record<string, string | null>>> = {
  archive: { id: 'external_id', external_id: null, code: null, url: null },
};

function nameless({ field, resource, said }: Link): { code: string; field: string; message: string } {
  return { code: 'unresolved', field, message: `"${said.slice(0, 80)}" is no record of ${resource} that is here.` };
}

function noteUnmapped(found: Validation, entity: string, { field, value }: { field: string; value: string }): void {
  const known = found.unmapped.find((each) => each.entity === entity && each.field === field && each.value === value);
  if (known) known.count++;
  else if (found.unmapped.length < MAX_UNMAPPED) found.unmapped.push({ entity, field, value, count: 1 });
}
