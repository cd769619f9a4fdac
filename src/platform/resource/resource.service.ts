import { current } from '../context/current';
import type { Database } from '../database/database';
import type { EventDraft, Related } from '../events/event-rows';
import type { ListResult, Meta, SingleResult } from '../http/results';
import type { Change as Decided, Told, Written } from './change';
import type { Scope } from './read/where';
import type { ExpectedVersions } from './etag';
import type { ListParams } from './reader';
import type { Resource } from './resource';
import type { ResourceEntity } from './resource-entity';
import type { ResourceKernel } from './resource-kernel';
import { Store } from './store';
import { givenValues } from './stored-values';
import type { Alongside } from './write-plan';

export type { ListParams, Written };

/** A stored record, untyped. */
export type Row = Record<string, unknown> & { id: number; version: number };

/** Values by column, untyped. */
export type Values = Record<string, unknown>;

/** What an update does besides storing `values`. */
export interface Change {
  values: Values;
  /** Event types besides `<singular>.updated`, in order. */
  events?: string[];
  /** Leave out `<singular>.updated` (only where the product says so). */
  silent?: boolean;
  /** Write and announce even when no value differs. */
  always?: boolean;
  related?: Related;
  /** Events with related records of their own, after `events`. */
  more?: readonly Omit<EventDraft, 'changes'>[];
  /** Rows of other tables, written in the statement of the change. */
  alongside?: Alongside;
  meta?: Meta;
}

/** What a creation does besides storing its values; `related` belongs to all its events. */
export type Creation = Pick<Change, 'events' | 'alongside' | 'related' | 'meta'>;

/** An untyped store with rules in methods that are overridden; areas take a `Store` instead, one by one. */
export abstract class ResourceService {
  private readonly store: Store<ResourceEntity>;

  constructor(
    readonly resource: Resource,
    protected readonly kernel: ResourceKernel,
  ) {
    this.store = new Store(resource as Resource<ResourceEntity>, kernel);
  }

  protected get database(): Database {
    return this.kernel.database;
  }

  list(params: ListParams, scope: Scope = {}): Promise<ListResult> {
    return this.store.list(params, scope);
  }

  read(id: number, scope: Scope = {}): Promise<SingleResult> {
    return this.store.read(id, scope);
  }

  async create(body: object): Promise<SingleResult> {
    return (await this.createKnown(body)).result;
  }

  createKnown(body: object): Promise<{ id: number; result: SingleResult }> {
    return this.store.createKnown(body, this.preparing);
  }

  update(id: number, body: object, expected: ExpectedVersions = null, scope: Scope = {}): Promise<SingleResult> {
    const decide = (before: Row): Promise<Change> =>
      this.prepareUpdate(before, givenValues(this.store.resource, body, before as never));
    return this.mutate(id, expected, decide, scope);
  }

  remove(
    id: number,
    expected: ExpectedVersions = null,
    options: object = {},
    scope: Scope = {},
  ): Promise<SingleResult> {
    return this.store.remove(id, expected, (before) => this.prepareRemove(before, options), scope);
  }

  mutate(
    id: number,
    expected: ExpectedVersions,
    decide: (before: Row) => Promise<Change>,
    scope: Scope = {},
  ): Promise<SingleResult> {
    const decided = async (before: object): Promise<Decided> => this.decided(await decide(before as Row));
    return this.store.mutate(id, expected, decided, scope);
  }

  protected apply(before: Row, change: Change): Promise<Written | null> {
    return this.store.apply(before as never, this.decided(change));
  }

  protected insert(body: object): Promise<Written> {
    return this.store.insert(body, this.preparing);
  }

  protected prepareCreate(_values: Values, _body: Values): Promise<Creation | undefined> {
    return Promise.resolve(undefined);
  }

  protected prepareUpdate(_before: Row, values: Values): Promise<Change> {
    return Promise.resolve({ values });
  }

  protected prepareRemove(_before: Row, _options: object): Promise<void> {
    return Promise.resolve();
  }

  protected async lock(id: number, expected: ExpectedVersions, scope: Scope = {}): Promise<Row> {
    return await this.store.lock(id, expected, scope);
  }

  protected announce(id: number, types: readonly string[], related: Related | null): Promise<void> {
    return this.store.announce(id, types, related);
  }

  protected answer(written: Written, status?: number): Promise<SingleResult> {
    return this.store.answer(written, status);
  }

  protected missing(id: number): never {
    return this.store.missing(id);
  }

  /** Who is acting, for rules that depend on it. */
  protected actingUserId(): number | null {
    return current().principal?.userId ?? null;
  }

  private readonly preparing = async (
    values: object,
    body: object,
  ): Promise<Omit<Creation, 'alongside'> & Pick<Decided, 'rows'>> => {
    const { alongside, ...rest } = (await this.prepareCreate(values as Values, body as Values)) ?? {};
    return { ...rest, ...(alongside ? { rows: alongside } : {}) };
  };

  private decided({ values, events = [], silent, always, related, more = [], alongside, meta }: Change): Decided {
    const { updated } = this.resource.told;
    const types = [...(silent || updated === null ? [] : [updated]), ...events];
    const told: Told[] = [
      ...types.map((type) => (related ? { type, related } : type)),
      ...more.map(({ type, related: own }) => (own || related ? { type, related: { ...related, ...own } } : type)),
    ];
    return {
      values: values,
      events: told,
      ...(always === undefined ? {} : { always }),
      ...(alongside ? { rows: alongside } : {}),
      ...(meta ? { meta } : {}),
    };
  }
}
