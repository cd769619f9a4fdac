import { invalid } from '../../platform/errors/api-error';
import type { FilterSpec } from '../../platform/query/filters';
import { several } from '../../platform/query/values';

const MAX_CODES = 100;
const CODE = /^TCK-(\d{6,15})$/i;

/** The code of the n-th ticket of a workspace: `TCK-000123`. */
export function ticketCode(number: number): string {
  return `TCK-${String(number).padStart(6, '0')}`;
}

/** The number inside a code; null when the text is no code. */
export function numberOfCode(code: string): number | null {
  const number = Number(CODE.exec(code)?.[1] ?? NaN);
  return Number.isSafeInteger(number) && ticketCode(number) === code.toUpperCase() ? number : null;
}

/** Filter by code, through the number it stands for: one unique index serves both. Unknown codes match nothing. */
export const codeFilter: FilterSpec = {
  schema: { ...several({ type: 'string', minLength: 1 }), example: 'TCK-000123' },
  description: 'Any of these codes.',
  parse: (raw, name) => {
    const codes = raw.split(',').map((code) => code.trim());
    if (codes.includes('')) invalid(name, 'format', `"${name}" has an empty value.`);
    if (codes.length > MAX_CODES) invalid(name, 'max', `"${name}" takes at most ${MAX_CODES} values.`);
    return codes.map((code) => numberOfCode(code) ?? -1);
  },
  sql: (alias, numbers, bind) => `${alias}.number = ANY(${bind(numbers)}::bigint[])`,
};
