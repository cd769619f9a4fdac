import type { MigrationInterface, QueryRunner } from 'typeorm';
import { filterIndex, reference } from './support/v1/resource-table';

const among = (column: string, values: readonly string[]): string =>
  `CHECK (${column} IN (${values.map((value) => `'${value}'`).join(', ')}))`;
const of = (table: string, column: string, values: readonly string[]): string =>
  `ALTER TABLE ${table} DROP CONSTRAINT ck_${table}_${column}, ADD CONSTRAINT ck_${table}_${column} ${among(column, values)};`;

/** People of a directory whom no mapping makes a user may be contacts, and what is written to them is known. */
export class DirectoriesKnowContacts1768840000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE directory_users ADD COLUMN contact_id bigint, ADD COLUMN contact_applied jsonb;
      ${reference('directory_users', 'contact_id', 'contacts')}
      ${filterIndex('directory_users', 'contact_id', { partial: true })}
      ${of('directory_connections', 'users_without_mapping', ['skip', 'light_agent', 'agent', 'contact'])}
      ${of('directory_changes', 'object', ['user', 'contact', 'group'])}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM directory_changes WHERE object = 'contact';
      UPDATE directory_connections SET users_without_mapping = 'skip' WHERE users_without_mapping = 'contact';
      ${of('directory_changes', 'object', ['user', 'group'])}
      ${of('directory_connections', 'users_without_mapping', ['skip', 'light_agent', 'agent'])}
      ALTER TABLE directory_users DROP COLUMN contact_applied, DROP COLUMN contact_id;
    `);
  }
}
