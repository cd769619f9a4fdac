import type { PersonalTable } from '../area/personal';
import { sql } from '../postgres/statement-batch';
import type { Database } from '../database/database';
import { columnsOf, keyOf } from './inventory';

/** A column as PostgreSQL knows it. */
export interface ColumnShape {
  name: string;
  /** As SQL writes it, e.g. `text[]`. */
  type: string;
  is_nullable: boolean;
  /** No two rows may have the same. */
  is_unique: boolean;
}

/** What is known of a table besides its declaration. */
export interface TableShape {
  table: PersonalTable;
  key: readonly string[];
  /** The declared columns, by name. */
  columns: ReadonlyMap<string, ColumnShape>;
  hasCreatedAt: boolean;
  /** Its rows have versions, which clients compare. */
  hasVersions: boolean;
}

/** Columns of a table; `is_unique` says that it is in a unique index besides the key. */
const COLUMNS = `
  SELECT a.attname AS name, format_type(a.atttypid, NULL) AS type, NOT a.attnotnull AS is_nullable,
    EXISTS (SELECT FROM pg_index i WHERE i.indrelid = a.attrelid AND i.indisunique AND NOT i.indisprimary
      AND pg_get_indexdef(i.indexrelid) ~ ('\\m' || a.attname || '\\M')) AS is_unique
  FROM pg_attribute a WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''`;

/** @throws Error when a declared column is not there */
export async function shapeOf(database: Database, table: PersonalTable): Promise<TableShape> {
  const { all } = await database.batch({ all: sql<ColumnShape>(COLUMNS, [table.table]) });
  const known = new Map(all.map((column) => [column.name, column]));
  const columns = columnsOf(table).map((name) => {
    const column = known.get(name);
    if (!column) throw new Error(`${table.table} has no column "${name}" that could be written.`);
    return [name, column] as const;
  });
  return {
    table,
    key: keyOf(table),
    columns: new Map(columns),
    hasCreatedAt: known.has('created_at'),
    hasVersions: known.has('version') && known.has('updated_at'),
  };
}
