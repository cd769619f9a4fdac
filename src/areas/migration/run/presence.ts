import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { idsOf } from '../../../platform/resource/record-ids';
import type { TakenValues, Takeover } from '../../../platform/resource/takeover';
import { RecordBook } from './record-book';

/** A record of a source, as far as it tells whether it is here. */
export interface Sought {
  external_id: string;
  values: TakenValues;
}

/** A record that is here already. */
export interface Present {
  id: number;
  /** The name or address that it was found by; null where its id of the source told. */
  key: string | null;
}

/** Finds the records that are here already. */
@Injectable()
export class Presence {
  constructor(
    private readonly database: Database,
    private readonly book: RecordBook,
  ) {}

  /** By what they were called elsewhere, else by name or address. Inside the unit of work. @returns by the id of the source */
  async of({ resource, keys }: Takeover, sought: readonly Sought[]): Promise<Map<string, Present>> {
    const ids = sought.map(({ external_id }) => external_id);
    const found = new Map<string, Present>();
    const byIds = [
      ...(await idsOf(this.database, resource.name, 'external_id', ids)),
      ...(await this.book.linked(resource.name, ids)),
    ];
    for (const [external_id, id] of byIds) found.set(external_id, { id, key: null });
    for (const key of keys) {
      // Below a parent, names are their own.
      const keyed = sought.flatMap(({ external_id, values }) =>
        found.has(external_id) || typeof values[key] !== 'string' || typeof values.parent_id === 'number'
          ? []
          : [{ external_id, text: values[key].toLowerCase() }],
      );
      const texts = keyed.map(({ text }) => text);
      const known = await idsOf(this.database, resource.name, key, texts);
      for (const { external_id, text } of keyed) {
        const id = known.get(text);
        if (id !== undefined) found.set(external_id, { id, key: text });
      }
    }
    return found;
  }
}
