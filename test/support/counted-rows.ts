import type { Sql } from './sql';

/** What a node works out of records and events and folds when it comes by, which may be at any moment: totals, statistics, words, work, entries. */
export const DERIVED = new RegExp(
  '^(event_outbox$|work$|audit_logs$|quota_usage$|.*_deltas$|resource_tallies$|ticket_stat_(days|months)$|ticket_duration_tallies$|' +
    'attachment_usage$|attachment_waste$|ticket_common_words$|ticket_asked_phrases$|ticket_word_|ticket_rank_bounds$|ticket_unfolded$|search_words$|search_progress$)',
);

/** What is no record: the job itself and who was told of it, and models that are made where there is enough to learn from. */
const OWN = /^(migration_|events$|event_|settled_events|audit_|idempotency_|quota_|search_|ai_model)/;

/** How many rows each table has of a workspace. */
export async function rowsOf(sql: Sql, { id }: { id: number }): Promise<Record<string, number>> {
  const tables = await sql.rows<{ name: string }>(
    `SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.column_name = 'workspace_id' AND c.table_schema = 'public' AND t.table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const counted: Record<string, number> = {};
  for (const { name } of tables.filter((table) => !OWN.test(table.name) && !DERIVED.test(table.name))) {
    const [row] = await sql.rows<{ n: number }>(`SELECT count(*) AS n FROM ${name} WHERE workspace_id = $1`, [id]);
    counted[name] = row?.n ?? 0;
  }
  return counted;
}
