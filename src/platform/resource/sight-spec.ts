import type { Sight } from '../context/principal';

/** What of a resource callers see, as SQL over `alias`; `{me}` and `{teams}` are their id, if they have one, and their teams. */
export interface SightSpec<Column extends string = string> {
  /** The rows that callers with limits see; null = all of them. */
  rows?: (sight: Sight, alias: string) => string | null;
  /** The same where they see but the records that have any of these ids: bits may tell which these are, then. Null for anything else. */
  told?: (sight: Sight) => readonly { column: Column; values: readonly number[] }[] | null;
  /** The rows that all others see, tokens of no user and jobs among them; all of them unless given. */
  unlimited?: (alias: string) => string;
  /** Whether callers with limits are told what its records were before (events, the audit log); of those that `rows` shows, unless given. */
  past?: (sight: Sight) => boolean;
  /** In place of columns that would tell callers with limits of what they do not see; null = the column as it is. */
  columns?: Partial<Record<Column, (sight: Sight, alias: string) => string | null>>;
}
