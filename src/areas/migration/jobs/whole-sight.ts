import { demandWholeSight } from '../../../platform/context/demand';

/** Refuses (403) callers who see only some tickets, whatever their role says of migration: records come in for everybody, and are matched with all. */
export function requireWholeSight(): void {
  demandWholeSight('A migration sees every ticket; only those whose ticket scope is "all" may do one.');
}
