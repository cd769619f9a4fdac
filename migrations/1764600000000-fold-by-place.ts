import type { MigrationInterface, QueryRunner } from 'typeorm';
import { systemFunctions } from './support/v1/row-level-security';

/**
 * Differences are taken for folding by their place in the table, not by a join with themselves: of a table that was empty when
 * PostgreSQL last looked it expects one row, and then looks all of them through for each (a minute for 20,000 of a bulk load,
 * beyond every statement's time).
 */
export class FoldByPlace1764600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      systemFunctions(folds.map(({ name, table, key }) => replaced(name, joined(table, key), placed(table)))),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      systemFunctions(folds.map(({ name, table, key }) => replaced(name, placed(table), joined(table, key)))),
    );
  }
}

const folds = [
  { name: 'fold_tallies', table: 'resource_tally_deltas', key: ['workspace_id', 'resource', 'id'] },
  { name: 'fold_stats', table: 'ticket_stat_deltas', key: ['workspace_id', 'id'] },
] as const;

/** As the migrations have written it. */
const joined = (table: string, key: readonly string[]): string => `USING (
        SELECT ${key.join(', ')} FROM ${table} LIMIT p_limit FOR UPDATE SKIP LOCKED
      ) chosen
      WHERE ${key.map((column) => `d.${column} = chosen.${column}`).join(' AND ')}`;

const placed = (table: string): string =>
  `WHERE d.ctid = ANY (ARRAY(SELECT ctid FROM ${table} LIMIT p_limit FOR UPDATE SKIP LOCKED))`;

/** Replaces a part of a function, and nothing else of it. */
const replaced = (name: string, old: string, anew: string): string => `
  DO $do$ DECLARE definition text := pg_get_functiondef('${name}(integer)'::regprocedure); BEGIN
    IF strpos(definition, $part$${old}$part$) = 0 THEN RAISE '${name} is not the one that this migration knows'; END IF;
    EXECUTE replace(definition, $part$${old}$part$, $part$${anew}$part$);
  END $do$`;
