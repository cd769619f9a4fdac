import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `search_terms` in another language, with the same results. An index expression is made ready anew by every statement that writes, and
 * of a function in SQL that is parsing, planning and an executor of its own, each time: four times what putting one row into such an
 * index costs otherwise. PL/pgSQL keeps what it has compiled as long as the connection lasts.
 */
export class TermsInPlpgsql1764500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(terms('plpgsql', (value) => `BEGIN RETURN ${value}; END`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(terms('sql', (value) => `SELECT ${value}`));
  }
}

/** @param body the function's, that returns a value */
const terms = (language: string, body: (value: string) => string): string => `
  CREATE OR REPLACE FUNCTION search_terms(workspace_id bigint, words text, title_length integer) RETURNS tsvector
    LANGUAGE ${language} IMMUTABLE STRICT PARALLEL SAFE COST 10000 AS $$ ${body(`
    array_to_tsvector(array_remove(
      string_to_array(replace(left(words, -1), ' ', ' ' || workspace_id || ':'), ' ')
      || string_to_array(replace(left(words, greatest(title_length - 1, 0)), ' ', ' ' || workspace_id || '#'), ' '), ''))
  `)} $$;
`;
