import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { sql } from '../postgres/statement-batch';
import { fold } from '../search/words';
import { ownJson } from '../text/json';
import { singleWords } from './identifiers';
import type { Person } from './person';
import { type RowChange, rowChange } from './row-change';
import { candidates, CHUNK, deleted, locked, REMEMBER, rewritten, windowEnd } from './sweep-sql';
import type { TableShape } from './table-shape';

/** Values of the key of a row; null = before the first. */
export type Place = readonly (number | string)[] | null;

/** What one step came to. */
export interface Step {
  /** Where the next one begins; null = the table is done. */
  place: Place;
  /** Rows that were changed or deleted. */
  changed: number;
  /** Records of the person among the rows. */
  own: number;
  /** What the person was called in them. */
  names: string[];
}

/** The shortest word that vocabularies learn. */
const MIN_WORD = 3;

/**
 * Looks through one table after the other for a person and rewrites what it finds, some rows at a time. Every step may be done again.
 * It works as the platform: events, for one, are open to nobody else. The caller has the transaction.
 */
@Injectable()
export class Sweeper {
  constructor(private readonly database: Database) {}

  /** One window of a table, or as much of it as has work; inside `Database.system()`. */
  async step(shape: TableShape, person: Person, from: Place): Promise<Step> {
    if (shape.table.words !== undefined) return this.forgetWords(shape.table.table, shape.table.words, person);
    const { workspaceId, erasureId, contactId, addresses, scrubber, before, copiesBefore } = person;
    const limit = shape.table.copy ? copiesBefore : before;
    const parameters = [workspaceId, erasureId, contactId, addresses, limit, scrubber.sql];
    const end = await this.key(windowEnd(shape, from !== null), [workspaceId, ...(from ?? [])]);
    if (end === undefined) return { place: null, changed: 0, own: 0, names: [] };
    const range = [...parameters, ...end, ...(from ?? [])];
    const keys = (await this.database.query<{ key: string }>(candidates(shape, from !== null), range)).map(
      ({ key }) => key,
    );
    const changes = keys.length === 0 ? [] : await this.read(shape, person, parameters, keys);
    await this.write(shape, person, changes);
    const last = keys.at(-1);
    // A full chunk may not be all that the window has.
    const place = keys.length === CHUNK && last !== undefined ? ownJson<(number | string)[]>(last) : end;
    return {
      place,
      changed: changes.filter(({ differs, goes }) => differs || goes).length,
      own: changes.filter(({ isOwn }) => isOwn).length,
      names: changes.flatMap(({ names }) => names),
    };
  }

  private async key(text: string, values: readonly unknown[]): Promise<(number | string)[] | undefined> {
    const [row] = await this.database.query<{ key: string }>(text, values);
    return row && ownJson<(number | string)[]>(row.key);
  }

  private async read(
    shape: TableShape,
    person: Person,
    parameters: readonly unknown[],
    keys: readonly string[],
  ): Promise<RowChange[]> {
    const rows = await this.database.query<{ row: string }>(locked(shape), [...parameters, `[${keys.join(',')}]`]);
    return rows.map(({ row }) => rowChange(shape, ownJson<Record<string, unknown>>(row), person));
  }

  private async write(
    shape: TableShape,
    { workspaceId, erasureId }: Person,
    changes: readonly RowChange[],
  ): Promise<void> {
    const { own } = shape.table;
    const ids = changes.filter(({ isOwn }) => isOwn).map(({ values }) => values.id);
    if (own && ids.length > 0) await this.database.query(REMEMBER, [workspaceId, erasureId, own.object, ids]);
    const gone = changes.filter(({ goes }) => goes).map(({ values }) => shape.key.map((name) => values[name]));
    if (gone.length > 0) await this.database.query(deleted(shape), [workspaceId, JSON.stringify(gone)]);
    const rows = changes.filter(({ differs, goes }) => differs && !goes).map(({ values }) => values);
    if (rows.length > 0) await this.database.query(rewritten(shape), [workspaceId, JSON.stringify(rows)]);
  }

  /** Words of others that are the same go, too: they come back with the next text that has them. */
  private async forgetWords(table: string, column: string, { workspaceId, identifiers }: Person): Promise<Step> {
    const words = singleWords(identifiers).flatMap((text) => fold(text).split(/[^\p{L}\p{N}]+/u));
    const long = [...new Set(words)].filter((word) => word.length >= MIN_WORD);
    const { gone } = await this.database.batch({
      gone: sql<object>(
        `DELETE FROM ${table} r WHERE r.workspace_id = $1 AND r.${column} = ANY($2::text[]) RETURNING 1`,
        [workspaceId, long],
      ),
    });
    return { place: null, changed: gone.length, own: 0, names: [] };
  }
}
