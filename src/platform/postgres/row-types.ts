import { types } from 'pg';

/** Number of a type in PostgreSQL. */
export type TypeId = Parameters<typeof types.getTypeParser>[0];

/**
 * How values of rows are read: as the driver does, but for moments, which are ISO 8601 in milliseconds wherever they go.
 * For connections whose sessions run in UTC.
 */
export const rowTypes = {
  getTypeParser(id: TypeId, format: 'text' = 'text'): (text: string) => unknown {
    return id === types.builtins.TIMESTAMPTZ
      ? momentText
      : (types.getTypeParser(id, format) as (text: string) => unknown);
  },
};

/** `2026-10-20 08:00:00.123456+00` as `2026-10-20T08:00:00.123Z`; what has no such form (`infinity`) stays as it is. */
function momentText(text: string): string {
  if (text[10] !== ' ' || !text.endsWith('+00')) return text;
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).slice(0, 3).padEnd(3, '0')}Z`;
}
