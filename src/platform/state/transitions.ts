import { invalid } from '../errors/api-error';

/** A state machine as data: for each state, the states it may change to. */
export type TransitionTable<S extends string> = Readonly<Record<S, readonly S[]>>;

/** Whether `from` may become `to`. Staying is not a transition. */
export function mayBecome<S extends string>(table: TransitionTable<S>, from: S, to: S): boolean {
  return table[from].includes(to);
}

/** 422 `invalid_transition`, naming the states that are possible, unless `from` may become `to`. */
export function requireTransition<S extends string>(table: TransitionTable<S>, field: string, from: S, to: S): void {
  if (mayBecome(table, from, to)) return;
  invalid(field, 'invalid_transition', `"${field}" cannot change from ${from} to ${to}.`, {
    from,
    to,
    allowed: table[from],
  });
}
