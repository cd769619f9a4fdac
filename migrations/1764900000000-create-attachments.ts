import type { MigrationInterface, QueryRunner } from 'typeorm';
import { filterIndex, reference, resourceColumns, resourceIndexes, sortIndex } from './support/v1/resource-table';
import { confine, SYSTEM_ROLE, systemFunctions } from './support/v1/row-level-security';
import { runAsSystem } from './support/v1/system-triggers';

/** Files of records, how much a workspace keeps of them, and those that are to be taken away. */
export class CreateAttachments1764900000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(attachments);
    await runner.query(confine('attachments'));
    await runner.query(usage);
    await runner.query(confine('attachment_usage'));
    await runner.query(waste);
    await runner.query(confine('attachment_waste'));
    await runner.query(counting);
    await runner.query(runAsSystem(['attachments_counted', 'attachments_discarded']));
    await runner.query(`ALTER TABLE plans ADD COLUMN storage_mb integer CHECK (storage_mb >= 0)`);
    await runner.query(systemFunctions([limit], ['attachment_limit_mb()']));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE plans DROP COLUMN storage_mb;
      SET LOCAL ROLE ${SYSTEM_ROLE};
      DROP FUNCTION attachment_limit_mb();
      RESET ROLE;
      DROP TABLE attachments, attachment_usage, attachment_waste;
      SET LOCAL ROLE ${SYSTEM_ROLE};
      DROP FUNCTION attachments_counted(), attachments_discarded();
      RESET ROLE;
    `);
  }
}

const attachments = `
  CREATE TABLE attachments (
    filename text NOT NULL,
    content_type text NOT NULL,
    declared_type text,
    size integer NOT NULL CHECK (size >= 0),
    sha256 text NOT NULL,
    scan text NOT NULL CHECK (scan IN ('clean', 'unscanned')),
    is_inline boolean NOT NULL DEFAULT false,
    content_id text,
    ticket_id bigint,
    comment_id bigint,
    article_id bigint,
    quote_id bigint,
    storage_key text COLLATE "C" NOT NULL,
    ${resourceColumns},
    CONSTRAINT ck_attachments_ticket_id CHECK (num_nonnulls(ticket_id, article_id, quote_id) <= 1),
    CONSTRAINT ck_attachments_comment_id CHECK (comment_id IS NULL OR ticket_id IS NOT NULL)
  );
  ${resourceIndexes('attachments')}
  CREATE UNIQUE INDEX uq_attachments_storage_key ON attachments (workspace_id, storage_key);
  CREATE INDEX attachments_in_order ON attachments (storage_key);
  CREATE INDEX attachments_unattached ON attachments (created_at)
    WHERE ticket_id IS NULL AND article_id IS NULL AND quote_id IS NULL;
  ${sortIndex('attachments', 'filename')}
  ${sortIndex('attachments', 'size')}
  ${filterIndex('attachments', 'content_type')}
  ${filterIndex('attachments', 'sha256')}
  ${filterIndex('attachments', 'ticket_id', { partial: true })}
  ${filterIndex('attachments', 'comment_id', { partial: true })}
  ${filterIndex('attachments', 'article_id', { partial: true })}
  ${filterIndex('attachments', 'quote_id', { partial: true })}
  ${reference('attachments', 'ticket_id', 'tickets', 'cascade')}
  ${reference('attachments', 'comment_id', 'ticket_comments', 'cascade')}
  ${reference('attachments', 'article_id', 'kb_articles', 'cascade')}
  ${reference('attachments', 'quote_id', 'quotes', 'cascade')}
`;

/** One row per workspace, which whoever adds a file holds to the end of a short unit of work: the sum is exact. */
const usage = `
  CREATE TABLE attachment_usage (
    workspace_id bigint PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
    bytes bigint NOT NULL DEFAULT 0
  );
`;

/** Keys of files whose rows are gone, by whatever way. It outlives the workspace, whose files go likewise. */
const waste = `
  CREATE TABLE attachment_waste (
    workspace_id bigint NOT NULL,
    storage_key text COLLATE "C" NOT NULL,
    at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, storage_key)
  );
`;

const counting = `
  CREATE FUNCTION attachments_counted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO attachment_usage AS u (workspace_id, bytes)
      SELECT r.workspace_id, sum(r.size) FROM added r GROUP BY 1 ORDER BY 1
      ON CONFLICT (workspace_id) DO UPDATE SET bytes = u.bytes + excluded.bytes;
    RETURN NULL; END $$;
  CREATE FUNCTION attachments_discarded() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE attachment_usage u SET bytes = u.bytes - r.bytes
      FROM (SELECT workspace_id, sum(size) AS bytes FROM removed GROUP BY 1) r WHERE u.workspace_id = r.workspace_id;
    INSERT INTO attachment_waste (workspace_id, storage_key) SELECT workspace_id, storage_key FROM removed
      ON CONFLICT DO NOTHING;
    RETURN NULL; END $$;
  CREATE TRIGGER attachments_counted AFTER INSERT ON attachments REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION attachments_counted();
  CREATE TRIGGER attachments_discarded AFTER DELETE ON attachments REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION attachments_discarded();
`;

/** What the plan of the current workspace says of its files; null where it says nothing. */
const limit = `
  CREATE OR REPLACE FUNCTION attachment_limit_mb() RETURNS integer LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT p.storage_mb FROM subscriptions s JOIN plans p ON p.id = s.plan_id
    WHERE s.workspace_id = (SELECT current_setting('app.workspace_id')::bigint) AND s.status = 'active' LIMIT 1
  $$
`;
