/** The number of the n-th quote of a workspace: `QUO-000123`. */
export function quoteNumber(serial: number): string {
  return `QUO-${String(serial).padStart(6, '0')}`;
}
