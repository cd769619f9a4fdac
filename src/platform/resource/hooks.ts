import { Injectable, type Type } from '@nestjs/common';
import { allResources, type Resource } from './resource';
import type { ResourceEntity } from './resource-entity';
import type { Row, Values } from './rows';

type Awaitable<T> = T | Promise<T>;

/**
 * What an extension does around the writes of a resource that is not its own, inside the transaction of each: an error of
 * the catalogue (`invalid`, `fail`) refuses the write, and what a hook writes through its stores goes with it.
 */
export interface Hooks<E extends ResourceEntity> {
  /** Answers the values to be stored, after the rules of the area and before references are checked. */
  beforeCreate?(values: Values<E>): Awaitable<Values<E>>;
  /** The same for the values that differ from the locked record; not asked when none does. */
  beforeUpdate?(before: Row<E>, values: Values<E>): Awaitable<Values<E>>;
  /** May refuse, or clear the way. */
  beforeRemove?(before: Row<E>): Awaitable<void>;
  /** The record as it is stored, and as it was; to change it is what `before…` is for. */
  afterCreate?(after: Row<E>): Awaitable<void>;
  afterUpdate?(before: Row<E>, after: Row<E>): Awaitable<void>;
  afterRemove?(before: Row<E>): Awaitable<void>;
}

/** The hooks of one resource, in order of registration. */
export class HookChain<E extends ResourceEntity> {
  private readonly hooks: Hooks<E>[] = [];

  add(hooks: Hooks<E>): void {
    this.hooks.push(hooks);
  }

  async beforeCreate(values: Values<E>): Promise<Values<E>> {
    for (const hooks of this.hooks) values = (await hooks.beforeCreate?.(values)) ?? values;
    return values;
  }

  async beforeUpdate(before: Row<E>, values: Values<E>): Promise<Values<E>> {
    for (const hooks of this.hooks) values = (await hooks.beforeUpdate?.(before, values)) ?? values;
    return values;
  }

  async beforeRemove(before: Row<E>): Promise<void> {
    for (const hooks of this.hooks) await hooks.beforeRemove?.(before);
  }

  /** @param read the stored record; read only when somebody looks at it */
  async afterCreate(read: () => Promise<Row<E>>): Promise<void> {
    const asked = this.hooks.filter((hooks) => 'afterCreate' in hooks);
    if (asked.length === 0) return;
    const after = await read();
    for (const hooks of asked) await hooks.afterCreate?.(after);
  }

  async afterUpdate(before: Row<E>, read: () => Promise<Row<E>>): Promise<void> {
    const asked = this.hooks.filter((hooks) => 'afterUpdate' in hooks);
    if (asked.length === 0) return;
    const after = await read();
    for (const hooks of asked) await hooks.afterUpdate?.(before, after);
  }

  async afterRemove(before: Row<E>): Promise<void> {
    for (const hooks of this.hooks) await hooks.afterRemove?.(before);
  }
}

/** The hooks of an application. A resource without any costs its writes one look-up. */
@Injectable()
export class ResourceHooks {
  private readonly chains = new Map<string, HookChain<ResourceEntity>>();

  /**
   * Adds hooks to a resource; call it in `onModuleInit`.
   *
   * @param target the entity of the resource, or its name
   * @throws Error when there is no such resource
   */
  on<E extends ResourceEntity>(target: Type<E> | string, hooks: Hooks<E>): void {
    const resource = allResources().find(({ name, entity }) => name === target || entity === target);
    if (!resource) {
      const wanted = typeof target === 'string' ? target : target.name;
      const known = allResources().map(({ name }) => name);
      throw new Error(`Hooks on "${wanted}", which is no resource; there are ${known.sort().join(', ')}.`);
    }
    const chain = this.chains.get(resource.name) ?? new HookChain<ResourceEntity>();
    this.chains.set(resource.name, chain);
    chain.add(hooks as Hooks<ResourceEntity>);
  }

  /** The hooks of a resource; undefined without any. */
  of<E extends ResourceEntity>(resource: Resource<E>): HookChain<E> | undefined {
    return this.chains.get(resource.name) as HookChain<E> | undefined;
  }
}
