import { createHash } from 'node:crypto';
import type { ColumnSpec } from '../../../platform/columns/column-spec';
import { ApiError } from '../../../platform/errors/api-error';
import { textFault } from '../../../platform/http/json-body';
import type { ValidationPipe } from '../../../platform/http/validation-pipe';
import type { TakenValues, Takeover } from '../../../platform/resource/takeover';
import { canonical } from '../../../platform/text/json';
import { withoutExcessMarks } from '../../../platform/text/marks';
import type { RecordProblem } from '../run/validation';
import { readAs, textOf } from './cell-values';
import type { EntityMapping, MigrationOptions } from './mapping.dto';
import { asideOf, CODE, CUSTOM, maxLengthOf, targetsOf } from './targets';
import { SOURCE_URL, webAddress } from './web-address';
import { plainName } from './words';
import { isLonger, firstCharacters } from '../../../platform/text/normalise';

/** A field that names a record, by what the source says. */
export interface Link {
  field: string;
  resource: string;
  said: string;
  /** What the record within which it is looked for is called there, or its id here. */
  within?: { resource: string; said: string } | { id: number } | undefined;
}

/** A record as it would be stored, but for the records that it names. */
export interface MappedRecord {
  external_id: string;
  /** Where it is read in the source. */
  source_url: string | null;
  /** What it is called here, as the source says. */
  code: string | null;
  values: TakenValues;
  links: Link[];
  warnings: string[];
  /** Fields here that the source has, and says nothing of. */
  emptied: string[];
}

/** @param known what the record is known by already */
export type Mapping = (
  fields: Readonly<Record<string, unknown>>,
  line: number | null,
  known?: string,
) => MappedRecord | Refused;

/** A record that cannot be stored as it is. */
export interface Refused {
  external_id: string;
  source_url?: string | null;
  problem: RecordProblem;
  /** What it says that has no place here. */
  unmapped?: { field: string; value: string };
}

class Refusal extends Error {
  constructor(
    readonly problem: RecordProblem,
    readonly unmapped?: { field: string; value: string },
  ) {
    super(problem.message);
  }
}

const MAX_ID = 255;
const MAX_CODE = 100;
/** A list that has nobody. */
const NO_LIST: ReadonlySet<string> = new Set(['', '[]', '{}', 'null']);
/** What a custom field holds. */
const MAX_CUSTOM = 4_000;

/** What makes records of this entity of what a source says. */
export function mapperOf(
  takeover: Takeover,
  { fields = {}, values = {}, defaults = {} }: EntityMapping,
  options: MigrationOptions,
  pipe: ValidationPipe,
): Mapping {
  const targets = targetsOf(takeover);
  const aside = asideOf(takeover);
  const routes = Object.entries(fields).flatMap(([name, target]) => (target === null ? [] : [{ name, target }]));
  return (said, line, known) => {
    const warnings: string[] = [];
    const found: TakenValues = {};
    const links: Link[] = [];
    const emptied: string[] = [];
    let id = known ?? null;
    let code: string | null = null;
    const source_url = urlIn(said, routes, warnings);
    const external = (): string => (id ??= idOfRow(said, line));
    try {
      for (const { name, target } of routes) {
        const cell = said[name];
        if (aside.includes(target)) {
          if (target === CODE)
            code ??=
              textOf(clean(cell ?? '', CODE, warnings))
                .trim()
                .slice(0, MAX_CODE) || null;
          continue;
        }
        if (cell === undefined) continue;
        if (cell === null || cell === '') emptied.push(target);
        else if (target === 'external_id') id ??= idOf(cell, options);
        else if (CUSTOM.test(target)) put(found, target, clean(cell, target, warnings), warnings);
        else place(targets.get(target), cell);
      }
      for (const [target, value] of Object.entries(defaults)) {
        const column = targets.get(target);
        if (column && found[target] === undefined && !links.some(({ field }) => field === target) && value !== null)
          place(column, value);
      }
      if (options.preserve_timestamps === false) {
        delete found.created_at;
        delete found.updated_at;
      }
      narrow(takeover, said, found, warnings);
      found.external_id = external();
      placeNested(takeover, found, links);
      takeover.prepare?.(found);
      for (const name of takeover.needs)
        if (found[name] === undefined && !links.some(({ field }) => field === name))
          throw new Refusal({ code: 'required', field: name, message: `${name} is required` });
      const checked = pipe.validate(found, takeover.body);
      const isSaid = (target: string): boolean => isIn(found, target) || links.some(({ field }) => field === target);
      const silent = emptied.filter((target) => target !== 'external_id' && !isSaid(target));
      return { external_id: external(), source_url, code, values: { ...checked }, links, warnings, emptied: silent };
    } catch (error) {
      return { external_id: external(), source_url, ...refusalOf(error) };
    }

    function place(column: ColumnSpec | undefined, cell: unknown): void {
      if (!column) return;
      const { name } = column;
      const cleaned = clean(cell, name, warnings);
      const said = values[name] ?? {};
      const text = textOf(cleaned).trim();
      const given = Object.hasOwn(said, text) ? said[text] : said['*'];
      if (column.kind === 'reference') {
        if (given === null) emptied.push(name);
        else if (typeof given === 'number') found[name] = given;
        else
          links.push({
            field: name,
            resource: column.references ?? '',
            said: given === undefined ? text : String(given),
          });
        return;
      }
      if (given === null) {
        emptied.push(name);
        return;
      }
      if (given === undefined && column.values && !column.values.includes(text))
        throw new Refusal(
          { code: 'unmapped_value', field: name, message: `"${text.slice(0, 80)}" is no ${name} here; map it.` },
          { field: name, value: text.slice(0, 200) },
        );
      const read = readAs(column, given ?? cleaned, options);
      if ('code' in read) throw new Refusal({ code: read.code, field: name, message: `${name}: ${read.message}` });
      found[name] = cut(takeover.body, column, read.value, warnings);
    }
  };
}

/** Names that are those of another record are looked for within it. */
function placeNested({ nested = [] }: Takeover, found: TakenValues, links: readonly Link[]): void {
  for (const { resource, within } of nested) {
    const id = found[within];
    const above = links.find(({ field }) => field === within);
    for (const link of links)
      if (link.resource === resource)
        link.within = typeof id === 'number' ? { id } : above && { resource: above.resource, said: above.said };
  }
}

/** Whoever may not see a record there is not to see it here because the list of those who may does not come in. */
function narrow(
  { narrowed }: Takeover,
  said: Readonly<Record<string, unknown>>,
  found: TakenValues,
  warnings: string[],
): void {
  if (!narrowed) return;
  const by = plainName(narrowed.by);
  const isListed = Object.entries(said).some(
    ([name, cell]) => plainName(name) === by && !NO_LIST.has(textOf(cell ?? '').trim()),
  );
  if (!isListed) return;
  Object.assign(found, narrowed.values);
  const instead = Object.entries(narrowed.values).map(([name, value]) => `${name} ${String(value)}`);
  warnings.push(`${narrowed.by}: no list of records comes in; ${instead.join(', ')} instead`);
}

/** Where a record is read, by the first field that says so; what is no address is left out. */
function urlIn(
  said: Readonly<Record<string, unknown>>,
  routes: readonly { name: string; target: string }[],
  warnings: string[],
): string | null {
  const cells = routes.flatMap(({ name, target }) => (target === SOURCE_URL ? [said[name]] : []));
  const given = cells.filter((cell) => cell !== undefined && cell !== null && cell !== '');
  const [first = null] = given.map(webAddress).filter((url) => url !== null);
  if (first === null && given.length > 0) warnings.push(`${SOURCE_URL}: no address of the web; left out`);
  return first;
}

/** An id is text, whatever it looks like, and belongs to its system. */
function idOf(cell: unknown, { namespace }: MigrationOptions): string {
  const id = textOf(cell).trim();
  const whole = namespace === undefined ? id : `${namespace}:${id}`;
  const fault = textFault(whole);
  if (id === '' || fault)
    throw new Refusal({ code: 'format', field: 'external_id', message: fault?.message ?? 'The id is empty.' });
  if (isLonger(whole, MAX_ID))
    throw new Refusal({ code: 'max', field: 'external_id', message: `The id has more than ${MAX_ID} characters.` });
  return whole;
}

/** Texts as they may enter. Piles of combining marks are cut, as in mail. */
function clean(cell: unknown, field: string, warnings: string[]): unknown {
  if (typeof cell !== 'string') return cell;
  const fault = textFault(cell);
  if (!fault) return cell;
  if (fault.code !== 'too_many_marks') throw new Refusal({ code: fault.code, field, message: fault.message });
  warnings.push(`${field}: combining marks beyond 30 in a row were left out`);
  return withoutExcessMarks(cell);
}

function cut(body: object, { name, kind }: ColumnSpec, value: unknown, warnings: string[]): unknown {
  const max = kind === 'string' ? maxLengthOf(body, name) : null;
  if (max === null || typeof value !== 'string' || !isLonger(value, max)) return value;
  warnings.push(`${name}: cut at ${max} characters`);
  return firstCharacters(value, max);
}

/** Whether a field has got a value. */
function isIn(found: TakenValues, target: string): boolean {
  const [, key] = CUSTOM.exec(target) ?? [];
  if (key === undefined) return found[target] !== undefined;
  const { custom_fields } = found;
  return typeof custom_fields === 'object' && custom_fields !== null && key in custom_fields;
}

function put(found: TakenValues, target: string, cell: unknown, warnings: string[]): void {
  const [, key = ''] = CUSTOM.exec(target) ?? [];
  const { custom_fields } = found;
  const before = typeof custom_fields === 'object' && custom_fields !== null ? custom_fields : {};
  const value = typeof cell === 'object' ? JSON.stringify(cell) : cell;
  const isLong = typeof value === 'string' && isLonger(value, MAX_CUSTOM);
  if (isLong) warnings.push(`${target}: cut at ${MAX_CUSTOM} characters`);
  found.custom_fields = { ...before, [key]: isLong ? firstCharacters(value, MAX_CUSTOM) : value };
}

function refusalOf(error: unknown): Pick<Refused, 'problem' | 'unmapped'> {
  if (error instanceof Refusal)
    return { problem: error.problem, ...(error.unmapped ? { unmapped: error.unmapped } : {}) };
  if (error instanceof ApiError) return { problem: problemOf(error) };
  throw error;
}

/** The first thing that is wrong. */
export function problemOf(error: ApiError): RecordProblem {
  const [first] = error.extras.details ?? [];
  return {
    code: first?.code ?? error.type,
    field: first?.field ?? null,
    message: (first?.message ?? error.message).slice(0, 500),
  };
}

/** Rows without an id are known by what they say, and where. */
export function idOfRow(said: unknown, line: number | null): string {
  const digest = createHash('sha256').update(canonical(said)).digest('hex').slice(0, 24);
  return line === null ? `row-${digest}` : `row-${line}-${digest}`;
}
