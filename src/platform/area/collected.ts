import type { Area } from './area';

let areas: readonly Area[] = [];
const lists: (() => void)[] = [];

/**
 * A list of what the areas of this program bring along, of one kind, in the order of the areas. It is filled when the program is
 * put together and stays the same array: what holds on to it earlier (a decorator, a table) sees all there is by then.
 */
export function collected<T>(part: (area: Area) => readonly T[] | undefined): readonly T[] {
  return filled(() => areas.flatMap((area) => part(area) ?? []));
}

/** A list or an object that is worked out of such lists and kept in place like them. */
export function filled<T extends object>(make: () => T): T {
  const kept = make();
  lists.push(() => {
    if (Array.isArray(kept)) kept.length = 0;
    for (const name of Object.keys(kept)) Reflect.deleteProperty(kept, name);
    Object.assign(kept, make());
  });
  return kept;
}

/** One thing that is worked out of what areas bring along: made when it is first asked for. */
export function remembered<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  lists.push(() => void (made = null));
  return () => (made ??= { value: make() }).value;
}

/** Fills every list. Called by `Areas.install`. */
export function collectFrom(installed: readonly Area[]): void {
  areas = installed;
  for (const fill of lists) fill();
}
