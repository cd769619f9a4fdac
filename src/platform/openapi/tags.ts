import type { AreaTag } from '../area/area';
import { type Document, operationsOf } from './document';

/** Puts tags and paths into the order of the specification. @param declared the subjects that the areas have */
export function arrange(document: Document, declared: readonly AreaTag[]): void {
  const placeOf = ({ place = Number.MAX_SAFE_INTEGER }: AreaTag): number => place;
  const tags = [...declared].sort((a, b) => placeOf(a) - placeOf(b));
  const rank = (name: string): number => {
    const index = tags.findIndex((tag) => tag.name === name);
    return index === -1 ? tags.length : index;
  };
  const operations = operationsOf(document);
  const used = new Set(operations.flatMap(({ operation }) => operation.tags ?? []));
  const unknown = [...used].filter((name) => rank(name) === tags.length).sort();
  document.tags = [
    ...tags.filter(({ name }) => used.has(name)).map(({ name, description }) => ({ name, description })),
    ...unknown.map((name) => ({ name })),
  ];
  const place = new Map<string, number>();
  for (const { path, operation } of operations)
    place.set(path, Math.min(place.get(path) ?? tags.length, rank(operation.tags?.[0] ?? '')));
  const paths = Object.entries(document.paths).sort(
    ([a], [b]) => (place.get(a) ?? 0) - (place.get(b) ?? 0) || (a < b ? -1 : 1),
  );
  document.paths = Object.fromEntries(paths);
}
