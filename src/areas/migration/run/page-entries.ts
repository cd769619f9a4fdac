import type { MigrationOptions } from '../mapping/mapping.dto';
import type { MappedRecord, Refused } from '../mapping/record-mapper';
import type { Beside, TakenValues } from '../../../platform/resource/takeover';
import type { Entry } from './record-book';
import { soundJson } from './sound';
import type { RecordProblem } from './validation';

/** A record of a page: of a file, or one that has waited. */
export interface Input {
  line: number | null;
  fields: Record<string, unknown> | null;
  problem: RecordProblem | null;
  /** What it is known by, where a row tells of it already. */
  external_id?: string;
}

/** A record that is ready to be stored. */
export interface Ready {
  input: Input;
  mapped: MappedRecord;
  values: TakenValues;
}

/** Of new records that say one address, the first is made. */
export function apart(
  { match_by }: MigrationOptions,
  fresh: readonly Ready[],
): { firsts: Ready[]; others: { record: Ready; first: string }[] } {
  const firsts: Ready[] = [];
  const others: { record: Ready; first: string }[] = [];
  const known = new Map<unknown, string>();
  for (const record of fresh) {
    const { email } = record.values;
    const said = match_by === 'email' && typeof email === 'string' ? email.toLowerCase() : record;
    const first = known.get(said);
    if (first === undefined) firsts.push(record);
    else others.push({ record, first });
    known.set(said, first ?? record.mapped.external_id);
  }
  return { firsts, others };
}

/** A record about what another one of its source is about: that one counts. */
export function second(
  entity: string,
  options: MigrationOptions,
  record: Ready,
  first: string,
  local_id: number | null,
): Entry {
  const message = `It is the same by its ${options.match_by ?? ''} as "${first.slice(0, 80)}" of the source, which counts.`;
  if (local_id === null || options.on_duplicate === 'fail')
    return failed(entity, record.input, record.mapped, { code: 'duplicate', field: null, message }, local_id === null);
  const entry = done(entity, record, 'skipped', local_id);
  return { ...entry, warnings: [...entry.warnings, message] };
}

export function done(
  entity: string,
  { input, mapped }: Ready,
  status: 'created' | 'updated' | 'skipped',
  local_id: number | null,
): Entry {
  const { external_id, source_url, warnings } = mapped;
  return { entity, external_id, source_url, status, local_id, line: input.line, error: null, warnings, payload: null };
}

export function failed(
  entity: string,
  input: Input,
  { external_id, source_url = null }: Pick<Refused, 'external_id' | 'source_url'>,
  problem: RecordProblem,
  retryable: boolean,
): Entry {
  // What JSON cannot hold would come back as something else.
  const isKept = input.fields !== null && soundJson(input.fields) === JSON.stringify(input.fields);
  const error = { ...problem, retryable: retryable && isKept };
  return {
    entity,
    external_id,
    source_url,
    status: 'failed',
    local_id: null,
    line: input.line,
    error,
    warnings: [],
    payload: isKept ? input.fields : null,
  };
}

/** What names one of its own kind waits for it; others came before. */
export function unresolved(
  entity: string,
  input: Input,
  mapped: MappedRecord,
  link: MappedRecord['links'][number],
): Entry {
  const message = `"${link.said.slice(0, 80)}" is no record of ${link.resource} that is here.`;
  const problem = { code: 'unresolved', field: link.field, message };
  const entry = failed(entity, input, mapped, problem, true);
  return link.resource === entity ? { ...entry, status: 'pending' } : entry;
}

export function entryOfMade({ resource, id, key }: Beside): Entry {
  return {
    entity: resource,
    external_id: key,
    status: 'created',
    local_id: id,
    line: null,
    error: null,
    warnings: [],
    payload: null,
  };
}
