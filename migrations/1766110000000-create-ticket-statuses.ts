import type { MigrationInterface, QueryRunner } from 'typeorm';
import { filterIndex, reference, resourceColumns, resourceIndexes, sortIndex } from './support/v1/resource-table';
import { confine } from './support/v1/row-level-security';
import { ofSystem, searchableByWords } from './support/v2/search-by-words';

/** Statuses of a workspace's own, each standing for one of the five, and which of them a ticket has. */
export class CreateTicketStatuses1766110000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(statuses);
    await runner.query(confine('ticket_statuses'));
    await runner.query(column);
    await showInSearch(runner, (view) => view.replace(FROM, ', t.custom_status_id$&'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await showInSearch(runner, (view) => view.replace(/,\s+t\.custom_status_id(?=\s)/, ''));
    await runner.query(`
      ALTER TABLE tickets DROP COLUMN custom_status_id;
      DROP VIEW ticket_statuses_search;
      DROP TABLE ticket_statuses;
    `);
  }
}

const statuses = `
  CREATE TABLE ticket_statuses (
    name text NOT NULL,
    description text,
    status text NOT NULL CONSTRAINT ck_ticket_statuses_status
      CHECK (status IN ('open', 'in_progress', 'on_hold', 'resolved', 'closed')),
    color text,
    is_default boolean NOT NULL DEFAULT false,
    position integer NOT NULL DEFAULT 1,
    is_active boolean NOT NULL DEFAULT true,
    ${resourceColumns}
  );
  ${resourceIndexes('ticket_statuses')}
  CREATE UNIQUE INDEX uq_ticket_statuses_name ON ticket_statuses (workspace_id, lower(name));
  CREATE UNIQUE INDEX uq_ticket_statuses_is_default ON ticket_statuses (workspace_id, status) WHERE is_default;
  ${sortIndex('ticket_statuses', 'name')}
  ${sortIndex('ticket_statuses', 'position')}
  ${filterIndex('ticket_statuses', 'status')}
  ${filterIndex('ticket_statuses', 'is_default')}
  ${filterIndex('ticket_statuses', 'is_active')}
  ${searchableByWords('ticket_statuses', `name || ' ' || coalesce(description, '')`)}
  CREATE TRIGGER ticket_statuses_facts_changed AFTER INSERT OR UPDATE OR DELETE ON ticket_statuses
    FOR EACH ROW EXECUTE FUNCTION announce_workspace_facts();
`;

const column = `
  ALTER TABLE tickets ADD COLUMN custom_status_id bigint;
  ${reference('tickets', 'custom_status_id', 'ticket_statuses')}
  ${filterIndex('tickets', 'custom_status_id', { partial: true })}
`;

/** Where the columns of the view end. */
const FROM = /\s+FROM\s+\(?tickets t/;

/** A view's columns do not follow its table's: filters of searches look there. */
async function showInSearch(runner: QueryRunner, changed: (view: string) => string): Promise<void> {
  const rows = (await runner.query(`SELECT pg_get_viewdef('tickets_search'::regclass) AS view`)) as { view: string }[];
  const view = changed(rows[0]?.view ?? '');
  await runner.query(`DROP VIEW tickets_search; CREATE VIEW tickets_search AS ${view} ${ofSystem('tickets_search')}`);
}
