import type { Database } from '../database/database';
import { eventKind } from '../events/event-catalogue';
import { changeMany, countOf } from './many-changes';
import { allResources, type Resource } from './resource';

/** Columns of records that name a record of a table, by what they are called. */
const NAMING = `
  SELECT c.conrelid::regclass::text AS table, a.attname AS column FROM pg_constraint c
  JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY(c.conkey) AND a.attname <> 'workspace_id'
  WHERE c.contype = 'f' AND c.confrelid = $1::regclass ORDER BY 1, 2`;

/** A column that names records of another resource. */
export interface Link {
  resource: Resource;
  column: string;
}

/** Every column of a resource with versions that names records of this one. Inside a unit of work. */
export async function linksTo(database: Database, resource: Resource): Promise<Link[]> {
  const rows = await database.query<{ table: string; column: string }>(NAMING, [resource.table]);
  return rows.flatMap(({ table, column }) => {
    const naming = allResources().find((each) => each.table === table && eventKind(`${each.singular}.updated`));
    return naming ? [{ resource: naming, column }] : [];
  });
}

/** How many records name one, counted no further than `most` for each column. */
export async function linkCount(database: Database, links: readonly Link[], id: number, most: number): Promise<number> {
  let count = 0;
  for (const { resource, column } of links)
    count += await countOf(database, resource.name, (bind) => `m.${column} = ${bind(id)}`, most);
  return count;
}

/** Lets every record that names one name another, each with a version and an event of its own. */
export async function relink(database: Database, links: readonly Link[], from: number, to: number): Promise<void> {
  for (const { resource, column } of links)
    await changeMany(database, {
      resource: resource.name,
      condition: (bind) => `m.${column} = ${bind(from)}`,
      values: { [column]: to },
      events: [`${resource.singular}.updated`],
      changes: resource.column.has(column) ? { [column]: { from, to } } : {},
    });
}
