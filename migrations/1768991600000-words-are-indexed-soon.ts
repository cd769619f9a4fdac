import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SYSTEM_ROLE } from './support/v1/row-level-security';

/**
 * What was written lately waits in a list beside an index of words, which each search goes through, until PostgreSQL has time for it: a
 * vacuum, or 4 MB of it. The platform asks for that sooner. Only who owns an index may, so the function is the owner's; what it does is the
 * same whoever calls it.
 */
export class WordsAreIndexedSoon1768991600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION index_pending_words() RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
        SELECT coalesce(sum(gin_clean_pending_list(c.oid::regclass)), 0)::bigint
        FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid JOIN pg_am a ON a.oid = c.relam
        WHERE a.amname = 'gin' AND c.relnamespace = 'public'::regnamespace AND c.relpersistence = 'p' AND i.indisready
          AND pg_has_role(c.relowner, 'USAGE') AND NOT coalesce(c.reloptions @> '{fastupdate=off}', false)
      $$;
      REVOKE EXECUTE ON FUNCTION index_pending_words() FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION index_pending_words() TO ${SYSTEM_ROLE};
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP FUNCTION index_pending_words()`);
  }
}
