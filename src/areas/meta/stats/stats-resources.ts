import { collected, filled } from '../../../platform/area/collected';

/** Places are below it. */
const LAST = 1_000;

const declared = collected(({ stats }) => stats);

/** Resources that are counted as a whole, those of all areas, in the order of the answer: product reference 1.19. */
export const COUNTED = filled(() => declared.toSorted((a, b) => (a.place ?? LAST) - (b.place ?? LAST)));

/** Their names. */
export const COUNTED_NAMES = filled(() => COUNTED.map(({ resource }) => resource.name));

/** Schemas of their numbers in the answer. */
export const COUNT_SCHEMAS = filled(() =>
  Object.fromEntries(COUNTED_NAMES.map((name) => [name, { type: 'integer', minimum: 0 }])),
);

/** Their numbers in the example of the OpenAPI document. */
export const EXAMPLE_COUNTS = filled(() =>
  Object.fromEntries(COUNTED.map(({ resource, example = 0 }) => [resource.name, example])),
);
