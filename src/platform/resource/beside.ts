/**
 * Rows of other tables beside a change that many records undergo: SQL of a part of its statement, over `t`, the records as written.
 *
 * @param changes from and to, the same for all
 */
export type Beside = (
  changes: Readonly<Record<string, { from: unknown; to: unknown }>>,
) => (bind: (value: unknown) => string) => string;
