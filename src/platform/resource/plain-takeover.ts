import type { Type } from '@nestjs/common';
import { sameValue } from '../columns/column-spec';
import type { Database } from '../database/database';
import type { Changes } from '../events/event-rows';
import type { Change } from './change';
import type { ResourceEntity } from './resource-entity';
import type { Row, Values } from './rows';
import type { Store } from './store';
import {
  type Left,
  type Narrowed,
  type Nested,
  type PutBack,
  type Revised,
  type Revision,
  type Standing,
  takenBody,
  type TakenOver,
  type TakenValues,
  type Takeover,
  type Told,
} from './takeover';
import { removeUntold } from './untold-writes';
import type { Alongside } from './write-plan';

/** What a takeover says of itself. */
export interface TakeoverSpec {
  place: number;
  keys?: readonly string[];
  needs?: readonly string[];
  /** Read-only columns that a record may name besides its moments. */
  more?: readonly string[];
  /** Fields that no revision changes. */
  fixed?: readonly string[];
  /** As in {@link Takeover}. */
  narrowed?: Narrowed;
  names?: readonly string[];
  nested?: readonly Nested[];
}

/** What is written of a change: values, and rows of other tables. */
export type Followed<E extends ResourceEntity> = Pick<Change<E>, 'values' | 'rows'>;

/** Takes records over as they come: a record is what it says, and its moments are now unless it says otherwise. */
export class PlainTakeover<E extends ResourceEntity> implements Takeover {
  readonly resource: Store<E>['resource'];
  readonly place: number;
  readonly body: Type<object>;
  readonly needs: readonly string[];
  readonly keys: readonly string[];
  readonly fixed: readonly string[];
  readonly narrowed: Narrowed | undefined;
  readonly names: readonly string[];
  readonly nested: readonly Nested[];

  constructor(
    protected readonly records: Store<E>,
    protected readonly database: Database,
    { place, keys = [], needs = [], more = [], fixed = [], narrowed, names = [], nested = [] }: TakeoverSpec,
  ) {
    this.resource = records.resource;
    this.place = place;
    this.keys = keys;
    this.needs = needs;
    this.fixed = fixed;
    this.narrowed = narrowed;
    this.names = names;
    this.nested = nested;
    this.body = takenBody(this.resource.entity, more);
  }

  async store(records: readonly TakenValues[], told: Told): Promise<TakenOver> {
    return { ids: await this.insert(records, told) };
  }

  takeBack(taken: readonly Left[]): Promise<number[]> {
    return removeUntold(this.database, this.resource, taken);
  }

  async standing(id: number, isHeld: boolean): Promise<Standing | null> {
    const row = isHeld ? await this.records.lockIfAny(id) : await this.records.find(id);
    return row && { version: row.version, row: named(row), stays: this.stays(row) };
  }

  async revise(revisions: readonly Revision[], told: Told): Promise<Revised[]> {
    const revised: Revised[] = [];
    for (const { id, values } of [...revisions].sort((left, right) => left.id - right.id)) {
      const before = await this.records.lockIfAny(id);
      if (!before) continue;
      // What was checked against the class of the entity's columns has their types.
      const complete = await this.revision(before, { ...values } as unknown as Values<E>);
      const changes = this.changesIn(before, complete);
      const version = await this.write(before, complete, told);
      revised.push({ id, version, changes });
    }
    return revised;
  }

  async putBack(id: number, changes: Changes, told: Told): Promise<PutBack | null> {
    const before = await this.records.lockIfAny(id);
    if (!before) return null;
    const now = named(before);
    const isAsLeft = (name: string): boolean => this.same(name, now[name], changes[name]?.to);
    // Its moment goes back with the rest, or stays with what somebody has changed.
    const kept = Object.keys(changes).filter((name) => name !== 'updated_at' && !isAsLeft(name));
    const back = Object.keys(changes).filter((name) =>
      name === 'updated_at' ? kept.length === 0 && isAsLeft(name) : isAsLeft(name),
    );
    const values = Object.fromEntries(back.map((name) => [name, changes[name]?.from ?? null]));
    const version = await this.write(before, values as unknown as Values<E>, told);
    return { id, version, before: before.version, kept };
  }

  /** Why no source changes a record any more. */
  protected stays(_row: Row<E>): string | null {
    return null;
  }

  /** A revision with the columns that follow from it: what is put back when it is taken back. */
  protected revision(_before: Row<E>, values: Values<E>): Promise<Values<E>> | Values<E> {
    return values;
  }

  /** What keeps up with every change of a record besides, and is no part of it: clocks. */
  protected followed(_before: Row<E>, values: Values<E>): Promise<Followed<E>> | Followed<E> {
    return { values };
  }

  /** What is told of a change of a record. */
  protected tale(_before: Row<E>): readonly string[] {
    const { updated } = this.resource.told;
    return updated === null ? [] : [updated];
  }

  /** What was checked against the class of the entity's columns has their types. @param rows what is written beside each */
  protected async insert(records: readonly TakenValues[], told: Told, rows: Alongside[] = []): Promise<number[]> {
    const moment = await this.database.moment();
    const dated = records.map((record) => {
      const created_at = record.created_at ?? moment;
      return { ...record, created_at, updated_at: record.updated_at ?? created_at } as unknown as Values<E>;
    });
    return this.records.insertMany(dated, told, rows);
  }

  /** @returns the version that it has then */
  private async write(before: Row<E>, values: Values<E>, told: Told): Promise<number> {
    const change = await this.followed(before, values);
    const related = { imported: true };
    const events = this.tale(before).map((type) => ({ type, related }));
    const written = await this.records.apply(before, { ...change, events, quiet: told === 'none' });
    return written?.version ?? before.version;
  }

  private changesIn(before: Row<E>, values: Values<E>): Changes {
    const was = named(before);
    return Object.fromEntries(
      Object.entries(values).flatMap(([name, to]: [string, unknown]) =>
        to === undefined || this.same(name, was[name], to) ? [] : [[name, { from: was[name] ?? null, to }]],
      ),
    );
  }

  private same(name: string, left: unknown, right: unknown): boolean {
    const column = this.resource.column.get(name);
    return column ? sameValue(column, left, right) : JSON.stringify(left ?? null) === JSON.stringify(right ?? null);
  }
}

/** Its columns by name. */
function named(row: object): Readonly<Record<string, unknown>> {
  return { ...row };
}
