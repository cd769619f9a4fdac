import type { Database } from '../database/database';
import type { Changes } from '../events/event-rows';
import { type Followed, PlainTakeover, type TakeoverSpec } from './plain-takeover';
import type { ResourceEntity } from './resource-entity';
import type { Row, Values } from './rows';
import { storedValue } from '../columns/column-spec';
import type { Store } from './store';
import { newValues } from './stored-values';
import type { Left, PutBack, Revised, Revision, TakenOver, TakenValues, Told } from './takeover';
import type { Alongside } from './write-plan';

/** What a new record comes to besides its values. */
export interface Completed {
  /** What is written beside it. */
  rows?: Alongside | null | undefined;
  /** What the source said and the record is not. */
  warnings?: readonly string[];
}

/** What the area of a resource makes of records that come in: the rules that its own requests go by, as far as they are about the record. */
export interface TakeoverRules<E extends ResourceEntity> {
  /** Fills in or mends what a source says before that is checked. */
  prepare?(values: TakenValues): void;
  /** Around every write: whose place others keep meanwhile. Records wait for each other unless given. */
  within?<T>(work: () => Promise<T>): Promise<T>;
  /** Completes a new record, `said` without defaults. Inside the unit of work. @throws ApiError 422 */
  complete(values: Values<E>, said: TakenValues): Promise<Completed>;
  /** A change with the columns that follow from it, which go back with it. Inside the unit of work. @throws ApiError 422 */
  settle?(before: Row<E>, values: Values<E>): Promise<Values<E>> | Values<E>;
  /** What is written of a change, or of the way back. Inside the unit of work. @throws ApiError 422 */
  follow(before: Row<E>, values: Values<E>): Promise<Followed<E>> | Followed<E>;
  /** What is to go before records can be taken back, which may stay. Inside the unit of work. */
  release?(ids: readonly number[]): Promise<void>;
  /** What goes along with records that were taken back; and what is put back of those that stay. Inside the unit of work. */
  gone?(ids: readonly number[], stay: readonly number[]): Promise<void>;
  /** What is to go once all of a job's records were taken back. Inside the unit of work. */
  cleared?(): Promise<void>;
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

  prepare(values: TakenValues): void {
    this.rules.prepare?.(values);
  }

  override store(records: readonly TakenValues[], told: Told): Promise<TakenOver> {
    return this.within(async () => {
      const ids: number[] = [];
      const warnings: (readonly string[])[] = [];
      for (const record of records) {
        const values: Values<E> = { ...record, ...newValues(this.resource, record) };
        const { rows, warnings: said = [] } = await this.rules.complete(values, record);
        ids.push(...(await this.insert([{ ...values }], told, rows ? [rows] : [])));
        warnings.push(said);
      }
      return { ids, warnings };
    });
  }

  override revise(revisions: readonly Revision[], told: Told): Promise<Revised[]> {
    return this.rules.within ? this.rules.within(() => super.revise(revisions, told)) : super.revise(revisions, told);
  }

  override putBack(id: number, changes: Changes, told: Told): Promise<PutBack | null> {
    return this.rules.within
      ? this.rules.within(() => super.putBack(id, changes, told))
      : super.putBack(id, changes, told);
  }

  override async takeBack(taken: readonly Left[]): Promise<number[]> {
    const ids = taken.map(({ id }) => id);
    await this.rules.release?.(ids);
    const gone = await super.takeBack(taken);
    const isGone = new Set(gone);
    await this.rules.gone?.(
      gone,
      ids.filter((id) => !isGone.has(id)),
    );
    return gone;
  }

  async cleared(): Promise<void> {
    await this.rules.cleared?.();
  }

  /** As the columns store them: what rules compare. */
  protected override revision(before: Row<E>, values: Values<E>): Promise<Values<E>> | Values<E> {
    const { column } = this.resource;
    const entries = Object.entries(values).map(([name, value]: [string, unknown]) => {
      const spec = column.get(name);
      return [name, spec && value !== undefined ? storedValue(spec, value) : value] as const;
    });
    const stored = Object.fromEntries(entries) as Values<E>;
    return this.rules.settle?.(before, stored) ?? stored;
  }

  protected override followed(before: Row<E>, values: Values<E>): Promise<Followed<E>> | Followed<E> {
    return this.rules.follow(before, values);
  }

  private within<T>(work: () => Promise<T>): Promise<T> {
    return this.rules.within?.(work) ?? this.records.holding(work);
  }
}
