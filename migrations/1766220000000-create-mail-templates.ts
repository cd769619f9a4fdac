import type { MigrationInterface, QueryRunner } from 'typeorm';
import { filterIndex, resourceColumns, resourceIndexes, sortIndex } from './support/v1/resource-table';
import { confine } from './support/v1/row-level-security';

/** What workspaces write in place of the service's own mails: one text for each kind and language. */
export class CreateMailTemplates1766220000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE mail_templates (
        kind text NOT NULL,
        language text NOT NULL,
        subject text NOT NULL,
        body text NOT NULL,
        is_active boolean NOT NULL DEFAULT true,
        ${resourceColumns}
      );
      ${resourceIndexes('mail_templates')}
      CREATE UNIQUE INDEX uq_mail_templates_language ON mail_templates (workspace_id, kind, language);
      ${sortIndex('mail_templates', 'kind')}
      ${filterIndex('mail_templates', 'kind')}
      ${filterIndex('mail_templates', 'language')}
      ${filterIndex('mail_templates', 'is_active')}
    `);
    await runner.query(confine('mail_templates'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE mail_templates;');
  }
}
