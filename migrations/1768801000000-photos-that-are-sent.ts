import type { MigrationInterface, QueryRunner } from 'typeorm';
import { confine } from './support/v1/row-level-security';

/** Photos that are sent with people wait here until they are looked at; an empty one says that there is none any more. */
export class PhotosThatAreSent1768801000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE directory_photos (
        workspace_id bigint NOT NULL,
        connection_id bigint NOT NULL,
        object_guid text NOT NULL,
        run_id bigint NOT NULL,
        content bytea NOT NULL CONSTRAINT ck_directory_photos_content CHECK (octet_length(content) <= 1048576),
        PRIMARY KEY (workspace_id, connection_id, object_guid, run_id),
        CONSTRAINT fk_directory_photos_run_id FOREIGN KEY (workspace_id, run_id) REFERENCES directory_runs (workspace_id, id) ON DELETE CASCADE
      );
      CREATE INDEX directory_photos_by_run ON directory_photos (workspace_id, run_id);
      ${confine('directory_photos')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE directory_photos');
  }
}
