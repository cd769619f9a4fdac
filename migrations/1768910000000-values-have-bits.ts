import type { MigrationInterface, QueryRunner } from 'typeorm';
import { confine, SYSTEM_ROLE, systemFunctions } from './support/v1/row-level-security';

/**
 * Values that lists of large workspaces are filtered by have bits, as words do, and so have the ranks of those that they are sorted by: the
 * bounds of the ranks, and a note of each change of such a value. All bits are made anew, and the column that their making begins with has
 * another name: nodes of the release before, which know nothing of these values, leave it until they are gone.
 */
export class ValuesHaveBits1768910000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(table);
    await runner.query(confine('ticket_rank_bounds'));
    await runner.query(systemFunctions([gone(true)]));
    await runner.query(trigger(VALUES));
    await runner.query('ALTER TABLE ticket_word_folds RENAME COLUMN chosen_at_number TO chosen_up_to');
    await runner.query(anew('chosen_up_to'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE ticket_word_folds RENAME COLUMN chosen_up_to TO chosen_at_number');
    await runner.query(anew('chosen_at_number'));
    await runner.query(trigger(['status', 'priority', 'created_at']));
    await runner.query(systemFunctions([gone(false)]));
    await runner.query('DROP TABLE ticket_rank_bounds');
  }
}

const table = `
  CREATE TABLE ticket_rank_bounds (
    workspace_id bigint NOT NULL,
    sort_column text COLLATE "C" NOT NULL,
    numbers bigint[],
    moments timestamptz[],
    texts text[],
    PRIMARY KEY (workspace_id, sort_column)
  );
`;

/** The first changes with nearly every update. */
const VALUES = [
  'updated_at',
  'created_at',
  'status',
  'priority',
  'channel',
  'type',
  'sla_status',
  'custom_status_id',
  'assigned_to',
  'company_id',
  'category_id',
  'team_id',
  'contact_id',
  'requester_email',
  'escalation_level',
  'csat_score',
  'parent_id',
  'followup_of_id',
  'merged_into_id',
  'subject',
  'sla_due_at',
  'next_sla_due_at',
  'resolved_at',
  'last_requester_comment_at',
] as const;

const trigger = (columns: readonly string[]): string => `
  CREATE OR REPLACE TRIGGER tickets_unfolded_changed AFTER UPDATE ON tickets FOR EACH ROW
    WHEN (${columns.map((column) => `OLD.${column} IS DISTINCT FROM NEW.${column}`).join(' OR ')})
    EXECUTE FUNCTION ticket_unfolded_changed();
`;

const anew = (column: string): string => `
  SET LOCAL ROLE ${SYSTEM_ROLE};
  UPDATE ticket_word_folds SET ready = false, chunks = 0, ${column} = NULL;
  RESET ROLE;
`;

const gone = (bounds: boolean): string => `
  CREATE OR REPLACE FUNCTION ticket_words_gone() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$ BEGIN
    DELETE FROM ticket_unfolded WHERE workspace_id = OLD.id;
    DELETE FROM ticket_common_words WHERE workspace_id = OLD.id;
    DELETE FROM ticket_word_bits WHERE workspace_id = OLD.id;
    DELETE FROM ticket_word_spans WHERE workspace_id = OLD.id;
    DELETE FROM ticket_asked_phrases WHERE workspace_id = OLD.id;
    ${bounds ? 'DELETE FROM ticket_rank_bounds WHERE workspace_id = OLD.id;' : ''}
    RETURN NULL; END $$
`;
