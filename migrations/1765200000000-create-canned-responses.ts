import type { MigrationInterface, QueryRunner } from 'typeorm';
import { filterIndex, reference, resourceColumns, resourceIndexes, sortIndex } from './support/v1/resource-table';
import { confine } from './support/v1/row-level-security';
import { nullableSortIndexes } from './support/v2/nullable-sort-indexes';
import { searchableByWords } from './support/v2/search-by-words';
import { sharedColumns } from './support/v2/shared-records';

/** Texts that agents answer with again and again. use_count and last_used_at do not count as versions. */
export class CreateCannedResponses1765200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE canned_responses (
        title text NOT NULL,
        body text NOT NULL,
        shortcut text,
        folder text,
        tags text NOT NULL DEFAULT '',
        use_count bigint NOT NULL DEFAULT 0,
        last_used_at timestamptz(3),
        ${sharedColumns('canned_responses')},
        ${resourceColumns}
      ) WITH (fillfactor = 90);
      ${resourceIndexes('canned_responses')}
      ${sortIndex('canned_responses', 'title')}
      ${sortIndex('canned_responses', 'use_count')}
      ${nullableSortIndexes('canned_responses', 'folder', 'text')}
      ${filterIndex('canned_responses', 'sharing')}
      ${filterIndex('canned_responses', 'owner_id', { partial: true })}
      ${filterIndex('canned_responses', 'folder', { partial: true })}
      CREATE UNIQUE INDEX uq_canned_responses_shortcut
        ON canned_responses (workspace_id, shortcut, (CASE WHEN sharing = 'private' THEN owner_id ELSE 0 END))
        WHERE shortcut IS NOT NULL;
      CREATE INDEX canned_responses_by_tag ON canned_responses USING gin (workspace_id, string_to_array(tags, ',')) WITH (fastupdate = off);
      CREATE INDEX canned_responses_by_team ON canned_responses USING gin (workspace_id, team_ids) WITH (fastupdate = off);
      ${reference('canned_responses', 'owner_id', 'users')}
      ${searchableByWords('canned_responses', `title || ' ' || coalesce(shortcut, '') || ' ' || coalesce(folder, '') || ' ' || tags || ' ' || body`)}
    `);
    await runner.query(confine('canned_responses'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP VIEW canned_responses_search; DROP TABLE canned_responses;`);
  }
}
