import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Pages far down a list, and the next page, are found in the index of its sort order alone. Records without a value are sorted by a
 * stand-in; PostgreSQL holds COALESCE for a function that may tell what it sees, and keeps it out of index conditions under
 * row-level security, but not CASE. And an index must hold all that is asked of it: the column behind the stand-in, the id
 * behind the number.
 */
export class SortsByIndexAlone1764400200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(rebuilt(AS_COALESCE, String.raw`(CASE WHEN \1 IS NULL THEN \2 ELSE \1 END), id) INCLUDE (\1)`));
    await runner.query(numbers('INCLUDE (id)'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(rebuilt(AS_CASE, String.raw`coalesce(\1, \2), id)`));
    await runner.query(numbers(''));
  }
}

/** Part of the definition of an index, as PostgreSQL writes it: the column and its stand-in, and what follows. */
const AS_COALESCE = String.raw`COALESCE\((\w+), ([^()]+)\), id\)`;
const AS_CASE = String.raw`\(\s*CASE\s+WHEN \((\w+) IS NULL\) THEN (.+?)\s+ELSE \w+\s+END\), id\) INCLUDE \(\w+\)`;

/** Makes every index of a sort order with a stand-in anew, those of plug-ins, too. */
const rebuilt = (part: string, anew: string): string => `
  DO $$ DECLARE each record; BEGIN
    FOR each IN
      SELECT indexname AS name, regexp_replace(indexdef, '${part}', '${anew}') AS definition
      FROM pg_indexes WHERE schemaname = 'public' AND indexname ~ '_order_' AND indexdef ~ '${part}'
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
