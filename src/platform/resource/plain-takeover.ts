import type { Type } from '@nestjs/common';
import type { Database } from '../database/database';
import type { ResourceEntity } from './resource-entity';
import type { Values } from './rows';
import type { Store } from './store';
import { takenBody, type TakenOver, type TakenValues, type Takeover, type Told } from './takeover';
import { removeUntold } from './untold-writes';

/** What a takeover says of itself. */
export interface TakeoverSpec {
  place: number;
  keys?: readonly string[];
  needs?: readonly string[];
  /** Read-only columns that a record may name besides its moments. */
  more?: readonly string[];
}

/** Takes records over as they come: a record is what it says, and its moments are now unless it says otherwise. */
export class PlainTakeover<E extends ResourceEntity> implements Takeover {
  readonly resource: Store<E>['resource'];
  readonly place: number;
  readonly body: Type<object>;
  readonly needs: readonly string[];
  readonly keys: readonly string[];

  constructor(
    protected readonly records: Store<E>,
    protected readonly database: Database,
    { place, keys = [], needs = [], more = [] }: TakeoverSpec,
  ) {
    this.resource = records.resource;
    this.place = place;
    this.keys = keys;
    this.needs = needs;
    this.body = takenBody(this.resource.entity, more);
  }

  async store(records: readonly TakenValues[], told: Told): Promise<TakenOver> {
    return { ids: await this.insert(records, told) };
  }

  takeBack(ids: readonly number[]): Promise<number[]> {
    return removeUntold(this.database, this.resource, ids);
  }

  /** What was checked against the class of the entity's columns has their types. */
  protected async insert(records: readonly TakenValues[], told: Told): Promise<number[]> {
    const moment = await this.database.moment();
    const dated = records.map((record) => {
      const created_at = record.created_at ?? moment;
      return { ...record, created_at, updated_at: record.updated_at ?? created_at } as unknown as Values<E>;
    });
    return this.records.insertMany(dated, told);
  }
}
