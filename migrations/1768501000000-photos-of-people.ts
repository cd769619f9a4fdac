import type { MigrationInterface, QueryRunner } from 'typeorm';
import { filterIndex, reference } from './support/v1/resource-table';

/** Pictures of users are files; those that directories have are fetched one by one, when they may be others. */
export class PhotosOfPeople1768501000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE attachments ADD COLUMN user_id bigint;
      ALTER TABLE attachments DROP CONSTRAINT ck_attachments_ticket_id,
        ADD CONSTRAINT ck_attachments_ticket_id CHECK (num_nonnulls(ticket_id, article_id, quote_id, message_id, user_id) <= 1);
      DROP INDEX attachments_unattached;
      CREATE INDEX attachments_unattached ON attachments (created_at)
        WHERE ticket_id IS NULL AND article_id IS NULL AND quote_id IS NULL AND message_id IS NULL AND user_id IS NULL;
      ${filterIndex('attachments', 'user_id', { partial: true })}
      ${reference('attachments', 'user_id', 'users', 'cascade')}
      ALTER TABLE directory_users
        ADD COLUMN photo_id bigint,
        ADD COLUMN photo_problem text,
        ADD COLUMN photo_digest text,
        ADD COLUMN photo_seen text,
        ADD COLUMN photo_due boolean NOT NULL DEFAULT false;
      ${reference('directory_users', 'photo_id', 'attachments')}
      CREATE INDEX directory_users_photo ON directory_users (workspace_id, photo_id) WHERE photo_id IS NOT NULL;
      CREATE INDEX directory_users_photo_due ON directory_users (workspace_id, connection_id, id) WHERE photo_due;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM work WHERE kind = 'directory_photos';
      ALTER TABLE directory_users DROP COLUMN photo_due, DROP COLUMN photo_seen, DROP COLUMN photo_digest, DROP COLUMN photo_problem,
        DROP COLUMN photo_id;
      DROP INDEX attachments_unattached;
      DELETE FROM attachments WHERE user_id IS NOT NULL;
      ALTER TABLE attachments DROP CONSTRAINT ck_attachments_ticket_id, DROP COLUMN user_id,
        ADD CONSTRAINT ck_attachments_ticket_id CHECK (num_nonnulls(ticket_id, article_id, quote_id, message_id) <= 1);
      CREATE INDEX attachments_unattached ON attachments (created_at)
        WHERE ticket_id IS NULL AND article_id IS NULL AND quote_id IS NULL AND message_id IS NULL;
    `);
  }
}
