import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SYSTEM_ROLE } from './support/v1/row-level-security';
import { madeAnew, type MadeTrigger, pinSearchPaths, runAsInvoker, runAsSystem } from './support/v1/system-triggers';

/**
 * What a cascade deletes, PostgreSQL deletes as the owner of the tables, and triggers on it ran as that owner: without
 * `BYPASSRLS`, their writes into tables whose security is forced were refused, and the deletion with them. From here on
 * triggers that touch tables run as the system role.
 */
export class RunTriggersAsSystem1764200200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(runAsSystem(FUNCTIONS));
    await runner.query(pinSearchPaths());
    await runner.query(titles);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(pinSearchPaths('pg_catalog, public'));
    const { undo, list } = runAsInvoker(FUNCTIONS);
    await runner.query(undo);
    await runner.query(madeAnew(FUNCTIONS, (await runner.query(list)) as MadeTrigger[]));
  }
}

const INSERT_DELETE = ['insert', 'delete'];
const ANY_CHANGE = [...INSERT_DELETE, 'update'];

/** Tables with totals, and the changes after which these are written. */
const TALLIED: Readonly<Record<string, readonly string[]>> = {
  assets: ANY_CHANGE,
  audit_logs: ANY_CHANGE,
  companies: ANY_CHANGE,
  contacts: ANY_CHANGE,
  deals: ANY_CHANGE,
  kb_article_feedback: INSERT_DELETE,
  kb_articles: ANY_CHANGE,
  kb_categories: INSERT_DELETE,
  leads: ANY_CHANGE,
  meeting_types: INSERT_DELETE,
  meetings: ANY_CHANGE,
  pipelines: INSERT_DELETE,
  quotes: ANY_CHANGE,
  stages: ANY_CHANGE,
  tickets: ANY_CHANGE,
};

const FUNCTIONS: readonly string[] = [
  ...Object.entries(TALLIED).flatMap(([table, changes]) => changes.map((change) => `tally_${table}_${change}`)),
  ...ANY_CHANGE.map((change) => `stats_tickets_${change}`),
  ...['tally_tickets_by_asset', 'count_sla_clocks', 'count_ticket_ratings'],
  ...['ticket_texts_insert', 'ticket_texts_update', 'kb_article_texts_follow'],
];

/** Was once filled in as the owner, who may have seen no rows; where he did, nothing is left to do. */
const titles = `
  SET LOCAL ROLE ${SYSTEM_ROLE};
  UPDATE ticket_texts x SET title_length = length(t.subject) FROM tickets t
    WHERE x.title_length = 0 AND t.workspace_id = x.workspace_id AND t.id = x.id AND t.subject <> '';
  RESET ROLE;
`;
