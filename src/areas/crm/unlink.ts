import type { Database } from '../../platform/database/database';
import { changeMany } from '../../platform/resource/many-changes';

/** A column of other records that may name the record that goes. */
export interface Link {
  resource: string;
  singular: string;
  column: string;
}

/** Takes a record that is about to be deleted out of the records that name it, with an event each; they stay. */
export async function unlink(database: Database, id: number, links: readonly Link[]): Promise<void> {
  for (const { resource, singular, column } of links) {
    await changeMany(database, {
      resource,
      condition: (bind) => `m.${column} = ${bind(id)}`,
      values: { [column]: null },
      events: [`${singular}.updated`],
      changes: { [column]: { from: id, to: null } },
    });
  }
}
