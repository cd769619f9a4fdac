import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Pages far down a list are counted off in the index of its sort order alone. For that an index must hold all that is asked of it:
 * the column behind the stand-in by which records without a value are sorted, and the id behind the number.
 */
export class SortsByIndexAlone1764400200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      rebuilt(String.raw`regexp_replace(def, '\)( WHERE .*)?$', ') INCLUDE (' || col || ')\1')`, false),
    );
    await runner.query(numbers('INCLUDE (id)'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(rebuilt(String.raw`regexp_replace(def, ' INCLUDE \(\w+\)', '')`, true));
    await runner.query(numbers(''));
  }
}

/**
 * Makes every index of a sort order with a stand-in anew, those of plug-ins, too.
 *
 * @param definition SQL of the new definition, over `def` (the old one) and `col` (the column)
 * @param includes whether the old one includes a column
 */
const rebuilt = (definition: string, includes: boolean): string => String.raw`
  DO $$ DECLARE each record; BEGIN
    FOR each IN
      SELECT name, ${definition} AS definition
      FROM (SELECT indexname AS name, indexdef AS def, (regexp_match(indexdef, 'COALESCE\((\w+),'))[1] AS col FROM pg_indexes
            WHERE schemaname = 'public' AND indexname ~ '_order_' AND indexdef ~ 'COALESCE\(\w+,') i
      WHERE (def LIKE '% INCLUDE %') = ${String(includes)}
    LOOP
      EXECUTE format('DROP INDEX %I', each.name);
      EXECUTE each.definition;
    END LOOP;
  END $$;
`;

const numbers = (more: string): string => `
  DROP INDEX uq_tickets_number;
  CREATE UNIQUE INDEX uq_tickets_number ON tickets (workspace_id, number) ${more};
`;
