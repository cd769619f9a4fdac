import type { MigrationInterface, QueryRunner } from 'typeorm';
import { filterIndex, reference } from './support/v1/resource-table';
import { confine } from './support/v1/row-level-security';

/** Mail that comes back: addresses where nothing arrives, and how much automatic mail each had. */
export class MailThatComesBack1766210000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE mail_bounces (
        workspace_id bigint NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
        address text NOT NULL,
        reason text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (workspace_id, address)
      );
      CREATE TABLE outgoing_mail_recipients (
        workspace_id bigint NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
        mail_id bigint NOT NULL,
        address text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (workspace_id, mail_id, address)
      );
      CREATE INDEX outgoing_mail_recipients_by_address ON outgoing_mail_recipients (workspace_id, address, created_at);
      ${reference('outgoing_mail_recipients', 'mail_id', 'outgoing_mails', 'cascade')}
      CREATE INDEX outgoing_mails_by_message_id ON outgoing_mails (workspace_id, message_id);
      ALTER TABLE mail_messages ADD COLUMN is_answerable boolean NOT NULL DEFAULT true;
      ALTER TABLE contacts
        ADD COLUMN mail_status text NOT NULL DEFAULT 'ok' CONSTRAINT ck_contacts_mail_status CHECK (mail_status IN ('ok', 'bounced')),
        ADD COLUMN mail_bounced_at timestamptz(3),
        ADD COLUMN mail_bounce_reason text;
      ${filterIndex('contacts', 'mail_status')}
    `);
    await runner.query(confine('mail_bounces'));
    await runner.query(confine('outgoing_mail_recipients'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE contacts DROP COLUMN mail_status, DROP COLUMN mail_bounced_at, DROP COLUMN mail_bounce_reason;
      ALTER TABLE mail_messages DROP COLUMN is_answerable;
      DROP INDEX outgoing_mails_by_message_id;
      DROP TABLE outgoing_mail_recipients, mail_bounces;
    `);
  }
}
