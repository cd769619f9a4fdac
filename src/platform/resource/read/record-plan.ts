// Raw rows: reads by id, the hottest path: one row, whose JSON text goes out as it came.
import { type Database, workspacePredicate } from '../../database/database';
import { Parameters } from '../../database/parameters';
import type { RawRow, Statement } from '../../postgres/statement-batch';
import type { Resource } from '../resource';
import { KeptTexts } from './kept-texts';
import { recordJoin, render, rowStamp } from './read-plan';
import type { Selection } from './selection';
import { type Scope, scopeConditions } from './where';

/** A record as a read by id shows it. */
export interface ShownRecord {
  /** JSON. */
  text: string;
  version: number;
}

/** Which record, as whom. */
export interface Named {
  id: number;
  workspaceId: number;
  /** Condition over `t` of what the caller sees; null = all. */
  seen: string | null;
  scope?: Scope;
}

/** What is read of the row `t`, and the templates of reads that nothing confines further, which are nearly all. */
interface Part {
  columns: string;
  from: string;
  templates: WeakMap<Resource, Templates>;
}

/** Of one record, and of as many as `SIZES` says: of none where something confines them further. */
interface Templates {
  wall: string;
  template: string;
  several: readonly string[];
}

const part = (columns: string, from: string): Part => ({ columns, from, templates: new WeakMap() });

/** So many records are asked for at once: the statement of each number is prepared. What there are fewer of is filled up with the last. */
const SIZES = [4, 16];

const TEXT = 'row_to_json(r)::text AS json, t.version';
const STAMP = `${rowStamp('t')} AS stamp`;
const RECORD = part(TEXT, recordJoin('t'));
const STAMPED = part(`${TEXT}, ${STAMP}`, recordJoin('t'));
const STAMP_ALONE = part(STAMP, '');
/** Place of the stamp among the columns of `STAMPED`. */
const PLACE = 2;

const keptRecords = new KeptTexts<ShownRecord>(2 * 1_024 * 1_024);

/** One record by id: columns `json`, `version`. */
export function readStatement(resource: Resource, selection: Selection, named: Named, what = RECORD): Statement {
  const { id, workspaceId, seen, scope = {} } = named;
  const parameters = new Parameters(workspaceId);
  parameters.bind(id);
  const conditions = [...scopeConditions(scope, parameters, 't'), ...(seen === null ? [] : [seen])];
  const { template, several } = templatesOf(what, resource, conditions);
  const statement: Statement = { ...render(resource, selection, template, parameters), quick: true };
  // What a record is shown with may be much, and what else it is found by differs from one to another.
  if (selection.expand.length === 0 && several.length > 0 && statement.values?.length === 2)
    statement.several = (ids) => severalStatement(resource, selection, workspaceId, several, ids);
  return statement;
}

/** The same of several records, each with its id behind the columns of the one. */
function severalStatement(
  resource: Resource,
  selection: Selection,
  workspaceId: number,
  templates: readonly string[],
  ids: readonly string[],
): Statement {
  const place = SIZES.findIndex((size) => ids.length <= size);
  const parameters = new Parameters(workspaceId);
  for (let index = 0; index < (SIZES[place] ?? 0); index++) parameters.bind(ids[index] ?? ids.at(-1));
  return { ...render(resource, selection, templates[place] ?? '', parameters), quick: true };
}

/**
 * The same, read; kept where it is asked for again and again, but for records with relations, and those of views.
 *
 * @param missing throws; called where there is none that the caller sees
 */
export function readRecord(
  database: Database,
  resource: Resource,
  selection: Selection,
  named: Named,
  missing: () => never,
): Promise<ShownRecord> {
  const plain = readStatement(resource, selection, named);
  const read = ([row]: RawRow[]): ShownRecord => (row ? { text: row[0] ?? '', version: Number(row[1]) } : missing());
  // Rows of a view have no stamp, and only what has one is listed as it is.
  if (resource.listed !== undefined || selection.expand.length > 0) return database.rawRead(plain).then(read);
  return keptRecords.read(database, {
    plain,
    stamped: () => readStatement(resource, selection, named, STAMPED),
    place: PLACE,
    asked: () => readStatement(resource, selection, named, STAMP_ALONE),
    read,
  });
}

function templatesOf({ columns, from, templates }: Part, resource: Resource, conditions: readonly string[]): Templates {
  const wall = workspacePredicate.of('t.workspace_id', '$1');
  const known = conditions.length === 0 ? templates.get(resource) : undefined;
  if (known?.wall === wall) return known;
  const template = (shown: string, which: string): string =>
    `SELECT ${shown} FROM ${resource.table} t ${from} WHERE ${[wall, which, ...conditions].join(' AND ')}`;
  const made = { wall, template: template(columns, 't.id = $2'), several: [] as string[] };
  if (conditions.length > 0) return made;
  for (const size of SIZES) {
    const ids = Array.from({ length: size }, (_, index) => `$${index + 2}`);
    made.several.push(template(`${columns}, t.id`, `t.id IN (${ids.join(', ')})`));
  }
  templates.set(resource, made);
  return made;
}
