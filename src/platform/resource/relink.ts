import { currentWorkspaceId } from '../context/current';
import type { Database } from '../database/database';
import { eventKind } from '../events/event-catalogue';
import { changeMany, countOf } from './many-changes';
import { allResources, type Resource } from './resource';

/** Columns of tables that name a record of a table, by what they are called. */
const NAMING = `
  SELECT c.conrelid::regclass::text AS table, a.attname AS column FROM pg_constraint c
  JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY(c.conkey) AND a.attname <> 'workspace_id'
  WHERE c.contype = 'f' AND c.confrelid = $1::regclass ORDER BY 1, 2`;

/** A column that names records of another resource. */
interface Link {
  table: string;
  column: string;
}

/** The same of a resource with versions. */
interface RecordLink extends Link {
  resource: Resource;
}

/** Every column that names records of a resource: of records with versions, and of what keeps none (logs, opinions, addresses). */
export interface Links {
  records: readonly RecordLink[];
  others: readonly Link[];
}

/** Whatever names records of a resource. Inside a unit of work. */
export async function linksTo(database: Database, resource: Resource): Promise<Links> {
  const records: RecordLink[] = [];
  const others: Link[] = [];
  for (const link of await database.query<Link>(NAMING, [resource.table])) {
    const naming = allResources().find((each) => each.table === link.table && eventKind(`${each.singular}.updated`));
    if (naming) records.push({ ...link, resource: naming });
    else others.push(link);
  }
  return { records, others };
}

/** How many records with versions name one, counted no further than `most` for each column. */
export async function linkCount(database: Database, { records }: Links, id: number, most: number): Promise<number> {
  let count = 0;
  for (const { resource, column } of records)
    count += await countOf(database, resource.name, (bind) => `m.${column} = ${bind(id)}`, most);
  return count;
}

/** Lets whatever names one record name another: records each with a version and an event of its own, the rest without a word. */
export async function relink(database: Database, { records, others }: Links, from: number, to: number): Promise<void> {
  for (const { resource, column } of records)
    await changeMany(database, {
      resource: resource.name,
      condition: (bind) => `m.${column} = ${bind(from)}`,
      values: { [column]: to },
      events: [`${resource.singular}.updated`],
      changes: resource.column.has(column) ? { [column]: { from, to } } : {},
    });
  for (const { table, column } of others)
    await database.query(`UPDATE ${table} SET ${column} = $3 WHERE workspace_id = $1 AND ${column} = $2`, [
      currentWorkspaceId(),
      from,
      to,
    ]);
}
