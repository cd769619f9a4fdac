import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { Row, Values } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { ownJson } from '../../../platform/text/json';
import { MigrationJob } from '../jobs/migration-job.entity';
import type { EntityMapping } from '../mapping/mapping.dto';
import { proposed } from '../mapping/proposal';
import { routesOf, ServiceFeeds } from '../services/service-feeds';
import { serviceOf } from '../services/services';
import { ServiceTrouble } from '../services/service-trouble';
import { emptied, shownFields } from './checking';
import type { FedRecord } from './feed';
import { goOn, type Turn } from './turns';
import { BEGINNING, placeOf, type Tally } from './job-place';
import { JobSteps, type Step, stepAt } from './job-steps';
import { lookedAt, Looking, SeenFields } from './looking';
import { soundJson } from './sound';
import { MAX_PROBLEMS, nothingFound, type Validation } from './validation';

/** Records of an entity that are looked at, and pages that are read for that. */
const ENOUGH = 100;
const MAX_PAGES = 5;
/** Tickets of which what is below them is looked at. */
const TICKETS = 5;

/** The first pages of an entity. */
interface Sample {
  records: FedRecord[];
  /** How many there are, where anybody knows. */
  total: number | null;
  /** The service does not say this at all. */
  refusal: ServiceTrouble | null;
}

/**
 * The dry run of a service: the first pages of each entity are read and looked at, and the rest is counted, where the service counts.
 * Nobody reads an account twice. An entity is one unit of work, so one that is asked to wait goes on there.
 */
@Injectable()
export class Sampling {
  constructor(
    @InjectStore(MigrationJob) private readonly jobs: Store<MigrationJob>,
    private readonly database: Database,
    private readonly steps: JobSteps,
    private readonly looking: Looking,
    private readonly services: ServiceFeeds,
  ) {}

  /** @throws ServiceTrouble */
  async turn(job: Row<MigrationJob>, until: number): Promise<Turn> {
    const steps = await this.steps.of(job);
    return goOn(job, until, (at) => {
      const step = stepAt(steps, placeOf(at.place));
      return step ? this.sample(at, step, steps) : this.finish(at);
    });
  }

  private async sample(
    before: Row<MigrationJob>,
    step: Step,
    steps: readonly Step[],
  ): Promise<Row<MigrationJob> | null> {
    const { entity, takeover } = step;
    const { sampled } = placeOf(before.place);
    const { records, total, refusal } = await this.read(before, step);
    const fields = new SeenFields();
    for (const record of records) if (record.fields) fields.note(record.fields);
    const seen = fields.all();
    const own = this.proposal(
      before,
      step,
      seen.map(({ name }) => name),
      seen,
    );
    const found: Validation = { ...nothingFound(), ...before.validation };
    const tally: Record<string, Tally> = { ...before.tally };
    found.entities.push({ entity, records: 0, valid: 0, invalid: 0, updates: 0, fields: shownFields(seen, own) });
    const job = { ...before, mapping: { ...before.mapping, [entity]: own } };
    await this.looking.look(job, entity, lookedAt(records, this.steps.mapping(job, takeover)), { found, tally }, steps);
    if (refusal && found.problems.length < MAX_PROBLEMS)
      found.problems.push({
        entity,
        line: null,
        external_id: null,
        field: null,
        code: 'unsupported',
        message: `Nothing comes of it: ${refusal.message}`,
      });
    const known = tally[entity];
    if (known) tally[entity] = { ...known, total: Math.max(total ?? 0, known.total) };
    const tickets =
      entity === 'tickets'
        ? records.flatMap(({ fields: said }) => (typeof said?.external_id === 'string' ? [said.external_id] : []))
        : sampled;
    const place = { ...BEGINNING, step: step.index + 1, sampled: tickets.slice(0, TICKETS) };
    return this.steps.move(before, 'validating', async (now) => {
      const noted = { place, tally, total: totalOf(tally), pages: now.pages + 1 };
      await this.steps.note(now.id, noted);
      // Changes of which nobody is told: it goes on.
      await this.database.query(
        'UPDATE migration_jobs SET validation = $3, mapping = $4 WHERE workspace_id = $1 AND id = $2',
        [currentWorkspaceId(), now.id, soundJson(found), soundJson(job.mapping)],
      );
      return { ...job, ...noted, validation: found };
    });
  }

  /** Fields have the names of those here; what its people made becomes custom ones. */
  private proposal(
    { source, mapping }: Row<MigrationJob>,
    { entity, takeover }: Step,
    names: readonly string[],
    seen: Parameters<typeof proposed>[1],
  ): EntityMapping {
    const given = mapping[entity] ?? {};
    const values = { ...serviceOf(source)?.entities[entity]?.values, ...given.values };
    const fields = { ...routesOf(takeover, names), ...given.fields };
    return proposed(takeover, seen, Object.assign({}, given, { fields, values }));
  }

  private async read(job: Row<MigrationJob>, { entity, feed, index }: Step): Promise<Sample> {
    const sample: Sample = { records: [], total: null, refusal: null };
    if (!feed) return sample;
    let [pages, isWhole] = [0, false];
    try {
      for await (const { records, next, total } of feed({
        ...BEGINNING,
        step: index,
        sampled: placeOf(job.place).sampled,
      })) {
        sample.records.push(...records);
        sample.total ??= total ?? null;
        isWhole = next.phase === 'rest';
        if (++pages >= MAX_PAGES || sample.records.length >= ENOUGH) break;
      }
      if (!isWhole) sample.total ??= await this.services.count(job, entity);
    } catch (error) {
      if (!(error instanceof ServiceTrouble) || error.kind !== 'refused') throw error;
      sample.refusal = error;
    }
    return sample;
  }

  private finish(before: Row<MigrationJob>): Promise<null> {
    return this.steps.move(before, 'validating', async (job) => {
      await this.steps.note(job.id, { place: BEGINNING, tally: emptied(job.tally), pages: job.pages + 1 });
      const found: Validation = { ...nothingFound(), ...job.validation };
      const checked_at = await this.database.moment();
      // Nothing that has changed is nothing wrong.
      const isReady = found.entities.some(({ valid }) => valid > 0) || found.problems.length === 0;
      const validation = ownJson<Validation>(soundJson({ ...found, checked_at }));
      const values: Values<MigrationJob> = { status: isReady ? 'ready' : 'invalid', validation };
      await this.jobs.apply(job, { values, events: ['migration.job_validated'] });
      return null;
    });
  }
}

function totalOf(tally: Readonly<Record<string, Tally>>): number {
  return Object.values(tally).reduce((sum, { total }) => sum + total, 0);
}
