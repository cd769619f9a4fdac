import type { MigrationInterface, QueryRunner } from 'typeorm';
import { systemFunctions } from './support/v1/row-level-security';

/** Assets and quotes are numbered in each workspace, as tickets are. */
export class NumberAssetsAndQuotes1763800000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(systemFunctions([counterKinds(['ticket', 'asset', 'quote']), createMissingCounters]));
    await runner.query(`SELECT create_missing_counters()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(systemFunctions([counterKinds(['ticket']), dropUnknownCounters]));
    await runner.query(`SELECT drop_unknown_counters()`);
    await runner.query(`DROP FUNCTION drop_unknown_counters()`);
  }
}

const DEFINER = `SECURITY DEFINER SET search_path = pg_catalog, public`;

function counterKinds(kinds: readonly string[]): string {
  const list = kinds.map((kind) => `'${kind}'`).join(', ');
  return `CREATE OR REPLACE FUNCTION counter_kinds() RETURNS text[] LANGUAGE sql IMMUTABLE AS $$ SELECT ARRAY[${list}] $$`;
}

/** As it was, but for a name that workspaces have a column of too. */
const createMissingCounters = `
  CREATE OR REPLACE FUNCTION create_missing_counters() RETURNS void LANGUAGE plpgsql ${DEFINER} AS $$
  DECLARE v_name text;
  BEGIN
    FOR v_name IN SELECT k.name || '_' || w.id FROM workspaces w, unnest(public.counter_kinds()) AS k (name) LOOP
      EXECUTE format('CREATE SEQUENCE IF NOT EXISTS counters.%I', v_name);
    END LOOP;
  END $$
`;

const dropUnknownCounters = `
  CREATE OR REPLACE FUNCTION drop_unknown_counters() RETURNS void LANGUAGE plpgsql ${DEFINER} AS $$
  DECLARE v_name text;
  BEGIN
    FOR v_name IN SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'counters' AND c.relkind = 'S' AND c.relname !~ ('^(' || array_to_string(public.counter_kinds(), '|') || ')_')
    LOOP
      EXECUTE format('DROP SEQUENCE counters.%I', v_name);
    END LOOP;
  END $$
`;
