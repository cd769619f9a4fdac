import type { Filter } from '../../src/areas/active-directory/scim/protocol/filter';

/** A filter as a client writes it. */
export function written(filter: Filter): string {
  if (filter.op === 'not') return `not (${written(filter.of)})`;
  if (filter.op === 'some') return `${filter.path}[${written(filter.of)}]`;
  if (!('path' in filter)) return filter.of.map((each) => `(${written(each)})`).join(` ${filter.op} `);
  if (filter.op === 'pr') return `${filter.path} pr`;
  const value = JSON.stringify(filter.value);
  return `${filter.path} ${filter.op} ${value.replaceAll(/[\u007f-\u009f]/g, (each) => `\\u00${each.charCodeAt(0).toString(16)}`)}`;
}
