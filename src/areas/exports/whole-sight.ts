import { demandWholeSight } from '../../platform/context/demand';

/** Refuses (403) callers who see only some tickets, whatever their role says of exports. */
export function requireWholeSight(): void {
  demandWholeSight('An archive holds every ticket; only those whose ticket scope is "all" may make or open one.');
}
