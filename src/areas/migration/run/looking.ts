import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { textFault } from '../../../platform/http/json-body';
import type { Row } from '../../../platform/resource/rows';
import type { MigrationJob } from '../jobs/migration-job.entity';
import { textOf } from '../mapping/cell-values';
import type { Seen } from '../mapping/proposal';
import type { Link, MappedRecord, Mapping, Refused } from '../mapping/record-mapper';
import type { FedRecord } from './feed';
import { added, type Tally } from './job-place';
import type { Step } from './job-steps';
import { leavesOut } from './left-out';
import { References } from './references';
import { MAX_PROBLEMS, MAX_UNMAPPED, type Validation } from './validation';

/** Different values of a field that are remembered for it. */
const MAX_VALUES = 300;
/** Fields of an entity that are shown. */
const MAX_FIELDS = 500;

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
  }
}

function nameless({ field, resource, said }: Link): { code: string; field: string; message: string } {
  return { code: 'unresolved', field, message: `"${said.slice(0, 80)}" is no record of ${resource} that is here.` };
}

function noteUnmapped(found: Validation, entity: string, { field, value }: { field: string; value: string }): void {
  const known = found.unmapped.find((each) => each.entity === entity && each.field === field && each.value === value);
  if (known) known.count++;
  else if (found.unmapped.length < MAX_UNMAPPED) found.unmapped.push({ entity, field, value, count: 1 });
}
