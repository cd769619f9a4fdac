import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import type { Changes } from '../../../platform/events/event-rows';
import { textFault } from '../../../platform/http/json-body';
import { Takeovers } from '../../../platform/resource/takeover';
import type { Row } from '../../../platform/resource/rows';
import { shortened } from '../../../platform/text/normalise';
import type { MigrationJob } from '../jobs/migration-job.entity';
import { textOf } from '../mapping/cell-values';
import type { Seen } from '../mapping/proposal';
import type { Link, MappedRecord, Mapping, Refused } from '../mapping/record-mapper';
import type { FedRecord } from './feed';
import { added, type Tally } from './job-place';
import type { Step } from './job-steps';
import { leavesOut } from './left-out';
import { Presence } from './presence';
import { References } from './references';
import { type Anew, Revising } from './revising';
import { MAX_PROBLEMS, MAX_REVISIONS, MAX_UNMAPPED, type Validation } from './validation';

/** Different values of a field that are remembered for it. */
const MAX_VALUES = 300;
/** Fields of an entity that are shown. */
const MAX_FIELDS = 500;
/** Characters of a text that a change is shown with. */
const MAX_SHOWN = 200;

/** A record as it is looked at. */
export interface Looked {
  line: number | null;
  outcome: MappedRecord | Refused;
}

/** What is known so far. */
export interface Findings {
  found: Validation;
  tally: Record<string, Tally>;
}

const NO_RECORD = { code: 'malformed', field: null, message: 'It cannot be read.' };

/** Records as they came, with what would become of them. */
export function lookedAt(records: readonly FedRecord[], mapping: Mapping): Looked[] {
  return records.map(({ fields, problem, line, external_id = '' }) => ({
    line,
    outcome: fields ? mapping(fields, line) : { external_id, problem: problem ?? NO_RECORD },
  }));
}

/** What the fields of records say: names, and different values in the order of their coming. */
export class SeenFields {
  private readonly fields = new Map<string, Set<string>>();

  note(record: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(record)) {
      const values = this.fields.get(name) ?? new Set<string>();
      this.fields.set(name, values);
      const isSaid = value !== null && value !== '' && typeof value !== 'object';
      const text = isSaid ? textOf(value).trim().slice(0, 200) : '';
      if (isSaid && values.size < MAX_VALUES && !textFault(text)) values.add(text);
    }
  }

  all(): Seen[] {
    return [...this.fields].slice(0, MAX_FIELDS).map(([name, values]) => ({ name, values: [...values] }));
  }
}

/** Counts records that are looked at, and notes what has no place and what is wrong. */
@Injectable()
export class Looking {
  constructor(
    private readonly database: Database,
    private readonly references: References,
    private readonly presence: Presence,
    private readonly revising: Revising,
    private readonly takeovers: Takeovers,
  ) {}

  /** @param coming resources whose records come with the job: who names one of them is not looked for */
  async look(
    job: Row<MigrationJob>,
    entity: string,
    looked: readonly Looked[],
    { found, tally }: Findings,
    steps: readonly Pick<Step, 'entity'>[],
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
      const problem = 'problem' in outcome ? outcome.problem : missing && !leavesOut(job) ? nameless(missing) : null;
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
    if (job.options.on_duplicate === 'update') await this.foresee(job, entity, looked, found);
  }

  /** What would change of records that are here. */
  private async foresee(
    { id, options }: Row<MigrationJob>,
    entity: string,
    looked: readonly Looked[],
    found: Validation,
  ): Promise<void> {
    const takeover = this.takeovers.of(entity);
    const mapped = looked.flatMap(({ outcome }) => ('links' in outcome ? [outcome] : []));
    const checked = found.entities.find((each) => each.entity === entity);
    if (!takeover || !checked) return;
    await this.database.transaction(async () => {
      const links = mapped.flatMap((record) => record.links);
      const resolved = await this.references.find(links, options, null);
      const sought = mapped.map(({ external_id, code, values, links: named }) => {
        const ids = named.map((link): [string, number | undefined] => [link.field, resolved.of(link)]);
        return {
          external_id,
          code,
          values: { ...values, ...Object.fromEntries(ids.filter(([, id]) => id !== undefined)) },
        };
      });
      const there = await this.presence.of(takeover, sought, options);
      const seconds = await this.presence.seconds(id, entity, there);
      const anew = mapped.flatMap(({ external_id, emptied }, index): Anew[] => {
        const present = there.get(external_id);
        return present && !seconds.has(external_id)
          ? [{ external_id, emptied, present, values: sought[index]?.values ?? {} }]
          : [];
      });
      const outlooks = await this.revising.foreseen(takeover, options, anew);
      for (const [index, { plan }] of outlooks.entries()) {
        const { external_id = '', present } = anew[index] ?? {};
        if (!plan || !present || Object.keys(plan.changes).length + plan.kept.length === 0) continue;
        if (Object.keys(plan.changes).length > 0) checked.updates++;
        if (found.revisions.length < MAX_REVISIONS)
          found.revisions.push({ entity, external_id, id: present.id, changes: shown(plan.changes), kept: plan.kept });
      }
    });
  }
}

function nameless({ field, resource, said }: Link): { code: string; field: string; message: string } {
  return { code: 'unresolved', field, message: `"${said.slice(0, 80)}" is no record of ${resource} that is here.` };
}

/** Changes, their texts cut. */
function shown(changes: Changes): Changes {
  const cut = (value: unknown): unknown => (typeof value === 'string' ? shortened(value, MAX_SHOWN) : value);
  return Object.fromEntries(
    Object.entries(changes).map(([name, { from, to }]) => [name, { from: cut(from), to: cut(to) }]),
  );
}

function noteUnmapped(found: Validation, entity: string, { field, value }: { field: string; value: string }): void {
  const known = found.unmapped.find((each) => each.entity === entity && each.field === field && each.value === value);
  if (known) known.count++;
  else if (found.unmapped.length < MAX_UNMAPPED) found.unmapped.push({ entity, field, value, count: 1 });
}
