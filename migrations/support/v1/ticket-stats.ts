/** What is counted per day, team and assignee, each in a column of `ticket_stat_days`. */
export const STAT_MEASURES: readonly string[] = [
  ...['open', 'in_progress', 'on_hold', 'resolved', 'closed'],
  ...['low', 'medium', 'high', 'urgent'],
  ...['portal', 'email', 'phone', 'chat', 'internal'],
  'unassigned',
  ...['sla_at_risk', 'sla_breached'],
  ...['rated_1', 'rated_2', 'rated_3', 'rated_4', 'rated_5'],
  ...['first_response_met', 'first_response_breached', 'next_response_met', 'next_response_breached'],
  ...['resolution_met', 'resolution_breached'],
];

/** Columns of a row that is counted, as SQL after an alias. */
export interface CountedRow {
  /** When it counts, timestamptz. */
  at: string;
  team: string;
  assignee: string;
  /** Text expression that names one measure. */
  measure: (row: string) => string;
  /** Whether the row counts at all. */
  counts: (row: string) => string;
  /** Columns that any of this looks at. */
  watched: readonly string[];
}

/** SQL of the day (UTC) of a moment. */
export const utcDay = (moment: string): string => `(${moment} AT TIME ZONE 'UTC')::date`;

/**
 * SQL that counts the rows of a table, one measure each: every change appends its difference to `ticket_stat_deltas`, in
 * its own transaction.
 */
export function counted(table: string, { at, team, assignee, measure, counts, watched }: CountedRow): string {
  const append = (row: string, n: number): string =>
    `INSERT INTO ticket_stat_deltas (workspace_id, day, team_id, assigned_to, measures, n)
     VALUES (${row}.workspace_id, ${utcDay(`${row}.${at}`)}, coalesce(${row}.${team}, 0), coalesce(${row}.${assignee}, 0), ARRAY[${measure(row)}], ${n});`;
  const differs = watched.map((name) => `OLD.${name} IS DISTINCT FROM NEW.${name}`).join(' OR ');
  return `
    CREATE FUNCTION count_${table}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF TG_OP <> 'INSERT' AND ${counts('OLD')} THEN ${append('OLD', -1)} END IF;
      IF TG_OP <> 'DELETE' AND ${counts('NEW')} THEN ${append('NEW', 1)} END IF;
      RETURN NULL; END $$;
    CREATE TRIGGER ${table}_count_insert AFTER INSERT ON ${table} FOR EACH ROW WHEN (${counts('NEW')}) EXECUTE FUNCTION count_${table}();
    CREATE TRIGGER ${table}_count_delete AFTER DELETE ON ${table} FOR EACH ROW WHEN (${counts('OLD')}) EXECUTE FUNCTION count_${table}();
    CREATE TRIGGER ${table}_count_update AFTER UPDATE ON ${table} FOR EACH ROW WHEN ((${counts('OLD')} OR ${counts('NEW')}) AND (${differs}))
      EXECUTE FUNCTION count_${table}();
  `;
}

/** SQL that folds everything that was appended. */
export const foldEverything = `DO $$ BEGIN WHILE fold_stats(100000) >= 100000 LOOP END LOOP; END $$`;

/**
 * SQL that replaces a part of a function, and nothing else of it; to be run as its owner.
 *
 * @param signature e.g. `fold_stats(integer)`
 */
export const replacePart = (signature: string, old: string, anew: string): string => `
  DO $do$ DECLARE definition text := pg_get_functiondef('${signature}'::regprocedure); BEGIN
    IF strpos(definition, $part$${old}$part$) = 0 THEN RAISE '${signature.replace(/\(.*/, '')} is not the one that this migration knows'; END IF;
    EXECUTE replace(definition, $part$${old}$part$, $part$${anew}$part$);
  END $do$`;
