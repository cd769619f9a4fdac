/**
 * What a spreadsheet would take for the beginning of a formula (OWASP, "CSV Injection"), in all widths, also behind what it may skip.
 * A tab, a carriage return or a line feed at the beginning counts by itself.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\u200B\u2060]*[=+\-@\uFE62\uFE63\uFE66\uFE6B\uFF0B\uFF0D\uFF1D\uFF20])/;

/** What must be quoted (RFC 4180), and the other signs that programs divide lines at. */
const QUOTED = /[",;\t\r\n]|^\s|\s$/;

/** A line of CSV as RFC 4180 has it, its CRLF included. */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/**
 * A value as a cell: nothing for null, numbers and booleans as in JSON, texts as they are, lists and objects as JSON. A text that
 * would be taken for a formula has an apostrophe before it; numbers, negative ones too, are none.
 */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
