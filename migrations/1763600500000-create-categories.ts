import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  filterIndex,
  reference,
  resourceColumns,
  resourceIndexes,
  searchable,
  sortIndex,
} from './support/v1/resource-table';
import { confine } from './support/v1/row-level-security';

/** Ticket categories, a tree of at most three levels. */
export class CreateCategories1763600500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE categories (
        name text NOT NULL,
        slug text NOT NULL,
        description text,
        parent_id bigint,
        color text,
        icon text,
        default_priority text CONSTRAINT ck_categories_default_priority CHECK (default_priority IN ('low', 'medium', 'high', 'urgent')),
        default_team_id bigint,
        default_assignee_id bigint,
        escalate_to_user_id bigint,
        sla_policy_id bigint,
        is_active boolean NOT NULL DEFAULT true,
        position integer NOT NULL DEFAULT 1,
        ${resourceColumns}
      );
      ${resourceIndexes('categories')}
      CREATE UNIQUE INDEX uq_categories_name ON categories (workspace_id, coalesce(parent_id, 0), lower(name));
      ${filterIndex('categories', 'parent_id')}
      ${filterIndex('categories', 'is_active')}
      ${sortIndex('categories', 'position')}
      ${sortIndex('categories', 'name')}
      ${searchable('categories', `name || ' ' || coalesce(description, '')`)}
    `);
    await runner.query(confine('categories'));
    await runner.query(`
      ${reference('categories', 'parent_id', 'categories', 'restrict')}
      ${reference('categories', 'default_team_id', 'teams')}
      ${reference('categories', 'default_assignee_id', 'users')}
      ${reference('categories', 'escalate_to_user_id', 'users')}
      ${reference('categories', 'sla_policy_id', 'sla_policies')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP VIEW categories_search; DROP TABLE categories CASCADE;`);
  }
}
