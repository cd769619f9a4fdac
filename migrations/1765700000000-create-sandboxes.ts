import type { MigrationInterface, QueryRunner } from 'typeorm';
import { announceAccess, APP_ROLE, confine, SYSTEM_ROLE } from './support/v1/row-level-security';

/** Workspaces for trying things out, whose clock can be moved, and what SQL calls `now()` there. */
export class CreateSandboxes1765700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(sandboxes);
    await runner.query(confine('sandboxes'));
    await runner.query(clock);
    await runner.query(dueByClock);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${defaultsFrom('workspace_clock.now()', 'now()')}
      ${defaultsFrom('workspace_clock.clock_timestamp()', 'clock_timestamp()')}
      CREATE OR REPLACE FUNCTION work_is_due_later() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.state := 'scheduled';
        RETURN NEW;
      END $$;
      DROP TABLE sandboxes;
      DROP SCHEMA workspace_clock CASCADE;
    `);
  }
}

/**
 * ahead_ms: how far its clock is ahead of the real one. settled_ms: the same of when all that had come due was done.
 * moved_at, looked_at: when it was moved, and last looked after, by the real clock. contents: what a reset brings back.
 */
const sandboxes = `
  CREATE TABLE sandboxes (
    workspace_id bigint PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
    version integer NOT NULL DEFAULT 1,
    ahead_ms bigint NOT NULL DEFAULT 0 CONSTRAINT ck_sandboxes_ahead_ms CHECK (ahead_ms >= 0),
    settled_ms bigint NOT NULL DEFAULT 0,
    moved_at timestamptz(3),
    looked_at timestamptz(3) NOT NULL DEFAULT '-infinity',
    contents text NOT NULL DEFAULT 'empty' CONSTRAINT ck_sandboxes_contents CHECK (contents IN ('empty', 'demo'))
  );
  REVOKE INSERT, DELETE ON sandboxes FROM ${APP_ROLE};
  ${announceAccess('sandboxes', 'INSERT')}
`;

/**
 * The functions that PostgreSQL has, by the clock of the workspace: where it is ahead, `app.clock_ahead` says how far, and the schema
 * stands first in the search path, so that every statement means these. Elsewhere nobody ever looks for them but defaults of columns.
 */
const clock = `
  CREATE SCHEMA workspace_clock;
  GRANT USAGE ON SCHEMA workspace_clock TO ${APP_ROLE}, ${SYSTEM_ROLE};
  ${['now', 'clock_timestamp']
    .map(
      (name) => `
  CREATE FUNCTION workspace_clock.${name}() RETURNS timestamptz LANGUAGE sql ${name === 'now' ? 'STABLE' : 'VOLATILE'}
    RETURN CASE WHEN current_setting('app.clock_ahead', true) <> ''
      THEN pg_catalog.${name}() + current_setting('app.clock_ahead')::interval ELSE pg_catalog.${name}() END;`,
    )
    .join('')}
`;

/** Jobs of a sandbox are due by its clock; the queue compares by the real one, so what is due already is due now. */
const dueByClock = `
  CREATE OR REPLACE FUNCTION work_is_due_later() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.due_at <= workspace_clock.now() THEN
      NEW.due_at := pg_catalog.now();
    ELSE
      NEW.state := 'scheduled';
    END IF;
    RETURN NEW;
  END $$;
`;

function defaultsFrom(old: string, plain: string): string {
  return `
    DO $$ DECLARE v_column record; BEGIN
      FOR v_column IN SELECT d.adrelid::regclass AS "table", a.attname AS name FROM pg_attrdef d
        JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
        WHERE pg_get_expr(d.adbin, d.adrelid) = '${old}'
      LOOP EXECUTE format('ALTER TABLE %s ALTER %I SET DEFAULT ${plain}', v_column."table", v_column.name); END LOOP;
    END $$;
  `;
}
