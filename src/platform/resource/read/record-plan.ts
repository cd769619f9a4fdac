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

/** What is read of the row `t`, and what stands beside it. */
interface Part {
  columns: string;
  from: string;
}

const TEXT = 'row_to_json(r)::text AS json, t.version';
const STAMP = `${rowStamp('t')} AS stamp`;
const RECORD: Part = { columns: TEXT, from: recordJoin('t') };
const STAMPED: Part = { columns: `${TEXT}, ${STAMP}`, from: recordJoin('t') };
const STAMP_ALONE: Part = { columns: STAMP, from: '' };
/** Place of the stamp among the columns of `STAMPED`. */
const PLACE = 2;

const keptRecords = new KeptTexts<ShownRecord>(2 * 1_024 * 1_024);

/** One record by id: columns `json`, `version`. */
export function readStatement(resource: Resource, selection: Selection, named: Named, part = RECORD): Statement {
  const { id, workspaceId, seen, scope = {} } = named;
  const parameters = new Parameters(workspaceId);
  const conditions = [
    workspacePredicate.of('t.workspace_id', '$1'),
    `t.id = ${parameters.bind(id)}`,
    ...scopeConditions(scope, parameters, 't'),
    ...(seen === null ? [] : [seen]),
  ];
  const template = `SELECT ${part.columns} FROM ${resource.table} t ${part.from} WHERE ${conditions.join(' AND ')}`;
  return { ...render(resource, selection, template, parameters), quick: true };
}

/**
 * The same, read; kept where it is asked for again and again, but for records with relations, and those of views.
 *
 * @param missing throws; called where there is none that the caller sees
 */
export async function readRecord(
  database: Database,
  resource: Resource,
  selection: Selection,
  named: Named,
  missing: () => never,
): Promise<ShownRecord> {
  const plain = readStatement(resource, selection, named);
  const read = ([row]: RawRow[]): ShownRecord => (row ? { text: row[0] ?? '', version: Number(row[1]) } : missing());
  // Rows of a view have no version.
  const isView = resource.listed === resource.table;
  if (isView || selection.expand.length > 0) return read(await database.rawRead(plain));
  return keptRecords.read(database, {
    plain,
    stamped: () => readStatement(resource, selection, named, STAMPED),
    place: PLACE,
    asked: () => readStatement(resource, selection, named, STAMP_ALONE),
    read,
  });
}
