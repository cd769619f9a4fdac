import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { idsOf } from '../../../platform/resource/record-ids';
import { textsOf } from '../../../platform/resource/record-texts';
import type { TakenValues, Takeover } from '../../../platform/resource/takeover';
import type { Matched, MigrationOptions } from '../mapping/mapping.dto';
import { isHere } from '../jobs/migration-states';
import { RecordBook } from './record-book';

/** A record of a source, as far as it tells whether it is here. */
export interface Sought {
  external_id: string;
  /** What it is called here, as the source says. */
  code: string | null;
  values: TakenValues;
}

/** A record that is here already. */
export interface Present {
  id: number;
  /** The code, name or address that it was found by; null where its id of the source told. */
  key: string | null;
  /** What it is taken for the same by, now or in an earlier job: it was here before, and is the source's from then on. */
  matched: Matched | null;
}

/** Finds the records that are here already. */
@Injectable()
export class Presence {
  constructor(
    private readonly database: Database,
    private readonly book: RecordBook,
  ) {}

  /** By what they were called elsewhere, else by code, name or address. Inside the unit of work. @returns by the id of the source */
  async of(
    takeover: Takeover,
    sought: readonly Sought[],
    { match_by: matchBy }: MigrationOptions,
  ): Promise<Map<string, Present>> {
    const { resource, keys } = takeover;
    const ids = sought.map(({ external_id }) => external_id);
    const found = new Map<string, Present>();
    for (const [external_id, id] of await idsOf(this.database, resource.name, 'external_id', ids))
      found.set(external_id, { id, key: null, matched: null });
    for (const [external_id, { id, matched }] of await this.book.links(resource.name, ids))
      found.set(external_id, { id, key: null, matched });
    if (matchBy === 'code' && takeover.idsOfCodes) {
      const coded = sought.filter(({ external_id, code }) => code !== null && !found.has(external_id));
      const known = await takeover.idsOfCodes(coded.map(({ code }) => code ?? ''));
      for (const { external_id, code: key } of coded) {
        const id = known.get(key ?? '');
        if (id !== undefined) found.set(external_id, { id, key, matched: 'code' });
      }
    }
    for (const key of keys) {
      // Below a parent, names are their own.
      const keyed = sought.flatMap(({ external_id, values }) =>
        found.has(external_id) ||
        typeof values[key] !== 'string' ||
        (key === 'name' && typeof values.parent_id === 'number')
          ? []
          : [{ external_id, text: values[key].toLowerCase() }],
      );
      const texts = keyed.map(({ text }) => text);
      const known = await idsOf(this.database, resource.name, key, texts);
      const matched = key === 'email' && matchBy === 'email' ? 'email' : null;
      for (const { external_id, text } of keyed) {
        const id = known.get(text);
        if (id !== undefined) found.set(external_id, { id, key: text, matched });
      }
    }
    return found;
  }

  /**
   * Records of a source that are about one that another record of it is about already: by their ids, which one that is. Those that are
   * known by their id come first, then those that came before. Inside the unit of work.
   */
  async seconds(jobId: number, entity: string, there: ReadonlyMap<string, Present>): Promise<Map<string, string>> {
    const matched = [...there].filter(([, { key, matched: by }]) => key !== null && by !== null);
    if (matched.length === 0) return new Map();
    const ids = matched.map(([, { id }]) => id);
    const first = await this.book.matches(jobId, entity, ids);
    const named = await textsOf(this.database, entity, 'external_id', ids);
    const came = await this.book.known(jobId, entity, [...named.values()]);
    for (const [id, name] of named) if (isHere(came.get(name))) first.set(id, name);
    for (const [external_id, { id, key }] of there) if (key === null) first.set(id, external_id);
    const seconds = new Map<string, string>();
    for (const [external_id, { id }] of matched) {
      const other = first.get(id) ?? external_id;
      if (other === external_id) first.set(id, external_id);
      else seconds.set(external_id, other);
    }
    return seconds;
  }
}
