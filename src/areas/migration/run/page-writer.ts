import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { sqlState } from '../../../platform/database/database-errors';
import { ApiError } from '../../../platform/errors/api-error';
import type { Beside, Takeover, Told } from '../../../platform/resource/takeover';
import { isHere } from '../jobs/migration-states';
import type { MigrationOptions } from '../mapping/mapping.dto';
import { idOfRow, type Link, type MappedRecord, type Mapping, problemOf, type Refused } from '../mapping/record-mapper';
import { targetsOf } from '../mapping/targets';
import type { Delta } from './job-place';
import { apart, done, entryOfMade, failed, type Input, type Ready, second, unresolved } from './page-entries';
import { type Present, Presence } from './presence';
import { type Entry, RecordBook } from './record-book';
import { References } from './references';
import { saidOf } from './revision';
import { Revising } from './revising';
import type { RecordProblem } from './validation';

/** What a page is written with. */
export interface PageContext {
  jobId: number;
  takeover: Takeover;
  mapping: Mapping;
  options: MigrationOptions;
  /** Names of records that are not here are left out, but for what a record needs. */
  leavesOut: boolean;
  /** Those that name one of their own kind have waited long enough. */
  isLast?: boolean;
}

/** Classes of SQLSTATE that say something of the record: data that cannot be, constraints. */
const ABOUT_RECORD = /^2[23]/;

/**
 * Writes the records of a page, each for itself: what is wrong with one costs that one. The common case, in which nothing is, is one
 * statement for all; a page that fails is halved until the bad ones are found.
 */
@Injectable()
export class PageWriter {
  constructor(
    private readonly database: Database,
    private readonly book: RecordBook,
    private readonly references: References,
    private readonly presence: Presence,
    private readonly revising: Revising,
  ) {}

  /** Inside the unit of work that moves the job on. @returns what became of them, by entity */
  async write(page: PageContext, inputs: readonly Input[]): Promise<Record<string, Delta>> {
    const { jobId, takeover } = page;
    const entity = takeover.resource.name;
    const told: Told = page.options.suppress_events === false ? 'marked' : 'none';
    const entries = new Map<string, Entry>();
    const mapped = new Map<string, { input: Input; outcome: MappedRecord }>();
    let skipped = 0;
    for (const input of inputs) {
      const outcome = outcomeOf(page.mapping, input);
      const { external_id } = outcome;
      if (mapped.has(external_id) || entries.has(external_id)) skipped++;
      else if ('problem' in outcome) entries.set(external_id, failed(entity, input, outcome, outcome.problem, true));
      else mapped.set(external_id, { input, outcome });
    }
    const before = await this.book.known(jobId, entity, [...mapped.keys(), ...entries.keys()]);
    for (const [id, status] of before) {
      if (!isHere(status)) continue;
      skipped++;
      mapped.delete(id);
      entries.delete(id);
    }
    const links = [...mapped.values()].flatMap(({ outcome }) => outcome.links);
    const resolved = await this.references.find(links, page.options, told);
    const ready: Ready[] = [];
    for (const { input, outcome } of mapped.values()) {
      const named = outcome.links.map((link) => ({ link, id: resolved.of(link) }));
      const missing = named.find(({ link, id }) => id === undefined && !isLeftOut(page, link));
      const found = named.filter(({ id }) => id !== undefined);
      const values = { ...outcome.values, ...Object.fromEntries(found.map(({ link, id }) => [link.field, id])) };
      for (const { link, id } of named) if (id === undefined && !missing) outcome.warnings.push(leftOut(link));
      if (!missing) ready.push({ input, mapped: outcome, values });
      else entries.set(outcome.external_id, unresolved(entity, input, outcome, missing.link));
    }
    const made = [...resolved.made, ...(await this.store(page, ready, told, entries))];
    await this.book.write(jobId, [...entries.values(), ...made.map(entryOfMade)]);
    const deltas: Record<string, Delta> = {};
    for (const { resource } of made) deltas[resource] = { made: (deltas[resource]?.made ?? 0) + 1 };
    const waited = [...before.values()].filter((status) => status === 'pending').length;
    const n = (wanted: Entry['status']): number =>
      [...entries.values()].filter(({ status }) => status === wanted).length;
    const own = { created: n('created'), updated: n('updated'), skipped: n('skipped') + skipped, failed: n('failed') };
    return { ...deltas, [entity]: { ...deltas[entity], ...own, pending: n('pending') - waited } };
  }

  /** Stores what is not here yet, and notes what became of each. @returns what came about besides */
  private async store(
    page: PageContext,
    ready: readonly Ready[],
    told: Told,
    entries: Map<string, Entry>,
  ): Promise<Beside[]> {
    const entity = page.takeover.resource.name;
    const sought = ready.map(({ mapped: { external_id, code }, values }) => ({ external_id, code, values }));
    const there = await this.presence.of(page.takeover, sought, page.options);
    const seconds = await this.presence.seconds(page.jobId, entity, there);
    const fresh: Ready[] = [];
    const again: (Ready & { present: Present })[] = [];
    for (const record of ready) {
      const { external_id } = record.mapped;
      const present = there.get(external_id);
      const { id } = present ?? {};
      const first = seconds.get(external_id);
      if (present === undefined || id === undefined) fresh.push(record);
      else if (first !== undefined) entries.set(external_id, second(entity, page.options, record, first, id));
      else if (page.options.on_duplicate === 'update') again.push({ ...record, present });
      else if (page.options.on_duplicate === 'fail') {
        const problem = { code: 'duplicate', field: null, message: `It is here already: ${entity} ${id}.` };
        entries.set(external_id, failed(entity, record.input, record.mapped, problem, false));
      } else entries.set(external_id, { ...done(entity, record, 'skipped', id), matched_by: present.matched });
    }
    const beside: Beside[] = [];
    const columns = targetsOf(page.takeover);
    const { firsts, others } = apart(page.options, fresh);
    await this.attempt(page, firsts, entries, async (some) => {
      const values = some.map((record) => record.values);
      const stored = await this.database.savepoint(() => page.takeover.store(values, told));
      some.forEach((record, index) => {
        const entry = done(entity, record, 'created', stored.ids[index] ?? null);
        const warnings = [...entry.warnings, ...(stored.warnings?.[index] ?? [])];
        entries.set(entry.external_id, { ...entry, warnings, said: saidOf(record.values, columns) });
      });
      beside.push(...(stored.beside ?? []));
    });
    for (const { record, first } of others) {
      const { local_id = null } = entries.get(first) ?? {};
      entries.set(record.mapped.external_id, second(entity, page.options, record, first, local_id));
    }
    await this.attempt(page, again, entries, (some) => this.revise(page, some, told, entries));
    return beside;
  }

  /** Brings records that are here up to what their source says now. */
  private async revise(
    { takeover, options }: PageContext,
    some: readonly (Ready & { present: Present })[],
    told: Told,
    entries: Map<string, Entry>,
  ): Promise<void> {
    const anew = some.map(({ mapped: { external_id, emptied }, values, present }) => ({
      ...{ external_id, emptied, values, present },
    }));
    const outcomes = await this.database.savepoint(() => this.revising.write(takeover, options, anew, told));
    some.forEach((record, index) => {
      const { said = null, left = null, changes = null, warnings = [] } = outcomes[index] ?? {};
      const entry = done(takeover.resource.name, record, changes ? 'updated' : 'skipped', record.present.id);
      const all = [...entry.warnings, ...warnings];
      const { matched: matched_by } = record.present;
      entries.set(entry.external_id, { ...entry, said, left_at: left, changes, warnings: all, matched_by });
    });
  }

  /** Does something with all records at once; where that fails, with halves of them, until those are found that are wrong. */
  private async attempt<R extends Ready>(
    page: PageContext,
    some: readonly R[],
    entries: Map<string, Entry>,
    work: (some: readonly R[]) => Promise<void>,
  ): Promise<void> {
    if (some.length === 0) return;
    try {
      await work(some);
    } catch (error) {
      const problem = problemFor(error);
      const [one] = some;
      if (some.length > 1) {
        const half = some.length >> 1;
        await this.attempt(page, some.slice(0, half), entries, work);
        await this.attempt(page, some.slice(half), entries, work);
      } else if (one) {
        const { external_id } = one.mapped;
        entries.set(external_id, failed(page.takeover.resource.name, one.input, one.mapped, problem, true));
      }
    }
  }
}

/** Whether a record comes without one that it names and that is not here. One of its own kind may yet come. */
function isLeftOut({ takeover, leavesOut, isLast = false }: PageContext, { field, resource }: Link): boolean {
  return leavesOut && !takeover.needs.includes(field) && (isLast || resource !== takeover.resource.name);
}

function leftOut({ field, said, resource }: Link): string {
  return `${field}: "${said.slice(0, 80)}" is no record of ${resource} that is here; left out`;
}

function outcomeOf(mapping: Mapping, { fields, problem, line, external_id }: Input): MappedRecord | Refused {
  if (problem || !fields) {
    const unknown = { code: 'malformed', field: null, message: 'It cannot be read.' };
    return { external_id: external_id ?? idOfRow(problem, line), problem: problem ?? unknown };
  }
  return mapping(fields, line, external_id);
}

/** What is wrong with a record; whatever is wrong with the world is thrown on. */
function problemFor(error: unknown): RecordProblem {
  if (error instanceof ApiError && error.status < 500) return problemOf(error);
  if (ABOUT_RECORD.test(sqlState(error) ?? '')) {
    const message = error instanceof Error ? error.message.slice(0, 300) : 'The database refuses it.';
    return { code: 'invalid', field: null, message };
  }
  throw error;
}
