import type { Database } from '../database/database';
import { type Followed, PlainTakeover, type TakeoverSpec } from './plain-takeover';
import type { ResourceEntity } from './resource-entity';
import type { Row, Values } from './rows';
import { storedValue } from '../columns/column-spec';
import type { Store } from './store';
import { newValues } from './stored-values';
import type { TakenOver, TakenValues, Told } from './takeover';
import type { Alongside } from './write-plan';

/** What the area of a resource makes of records that come in: the rules that its own requests go by, as far as they are about the record. */
export interface TakeoverRules<E extends ResourceEntity> {
  /** Completes a new record; what is written beside it, if anything. Inside the unit of work. @throws ApiError 422 */
  complete(values: Values<E>): Promise<Alongside | null>;
  /** The same of a change. Inside the unit of work. @throws ApiError 422 */
  follow(before: Row<E>, values: Values<E>): Promise<Followed<E>>;
}

/** Takes records over by the rules of their area, one after the other: each may depend on those before it. */
export class RuledTakeover<E extends ResourceEntity> extends PlainTakeover<E> {
  constructor(
    records: Store<E>,
    database: Database,
    spec: TakeoverSpec,
    private readonly rules: TakeoverRules<E>,
  ) {
    super(records, database, spec);
  }

  override store(records: readonly TakenValues[], told: Told): Promise<TakenOver> {
    return this.records.holding(async () => {
      const ids: number[] = [];
      for (const record of records) {
        const values: Values<E> = { ...record, ...newValues(this.resource, record) };
        const beside = await this.rules.complete(values);
        ids.push(...(await this.insert([{ ...values }], told, beside ? [beside] : [])));
      }
      return { ids };
    });
  }

  /** As the columns store them: what rules compare. */
  protected override revision(_before: Row<E>, values: Values<E>): Values<E> {
    const { column } = this.resource;
    const entries = Object.entries(values).map(([name, value]: [string, unknown]) => {
      const spec = column.get(name);
      return [name, spec && value !== undefined ? storedValue(spec, value) : value] as const;
    });
    return Object.fromEntries(entries) as Values<E>;
  }

  protected override followed(before: Row<E>, values: Values<E>): Promise<Followed<E>> {
    return this.rules.follow(before, values);
  }
}
