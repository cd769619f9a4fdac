import type { ModuleRef } from '@nestjs/core';
import type { Action } from '../../platform/area/rules';

/** Why actions run, for the run log and the events they cause. */
export interface ActionCause {
  /** Where the actions stand, e.g. `{ type: 'sla_policy', id: 3, name: 'Gold' }`. */
  source: { type: string; id: number; name: string };
  /** Tells this run from every other: a run with a key that was seen before does nothing. */
  key: string;
}

/** Where actions are kept. */
export interface StoredActions {
  table: string;
  column: string;
  /** Where they stand in the column, for jsonpath: `$[*]`. */
  path: string;
  /** Stores what `sealed` makes of the actions of a record, and tells nobody. Inside a unit of work of the workspace. */
  seal(id: number, sealed: (actions: readonly Action[]) => Action[]): Promise<void>;
}

/** A store of records with `actions`. */
interface ActionsStore<R extends { actions: Action[] }> {
  readonly resource: { readonly table: string };
  lockIfAny(id: number): Promise<R | null>;
  apply(before: R, change: { values: { actions: Action[] }; events: [] }): Promise<unknown>;
}

/** The actions of a store's records. */
export function actionsIn<R extends { actions: Action[] }>(store: ActionsStore<R>): StoredActions {
  return {
    ...{ table: store.resource.table, column: 'actions', path: '$[*]' },
    seal: async (id, sealed) => {
      const before = await store.lockIfAny(id);
      if (before) await store.apply(before, { values: { actions: sealed(before.actions) }, events: [] });
    },
  };
}

/**
 * Runs actions on a ticket for areas that automations stand above. Provided by the automations area, for the whole
 * application; without that area nothing has actions.
 */
export abstract class TicketActions {
  /**
   * Checks actions as they were sent and answers them in stored form.
   *
   * @param path where they stand in the body, e.g. `escalation[0].actions`
   * @throws ApiError 422 with the path of what is wrong
   */
  abstract check(path: string, actions: readonly unknown[]): Promise<Action[]>;

  /** What was kept with headers that anybody could read, before those were sealed, is sealed from now on. Said at the start. */
  abstract keepSealed(stored: StoredActions): void;

  /** Performs checked actions on a ticket of the current workspace, outside any transaction of the caller. */
  abstract run(ticketId: number, actions: readonly Action[], cause: ActionCause): Promise<void>;
}

/**
 * The actions of this application; null without the automations area. Looked up, not injected: automations stand above
 * tickets, and what needs their actions stands below.
 */
export function ticketActions(modules: ModuleRef): TicketActions | null {
  try {
    return modules.get(TicketActions, { strict: false });
  } catch {
    return null;
  }
}
