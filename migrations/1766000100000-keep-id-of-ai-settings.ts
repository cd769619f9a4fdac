import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Settings have the id of their workspace wherever their row comes from: a sandbox that begins anew copies that of another one. */
export class KeepIdOfAiSettings1766000100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION ai_settings_own_id() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        NEW.id := NEW.workspace_id;
        RETURN NEW; END $$;
      CREATE TRIGGER ai_settings_own_id BEFORE INSERT ON ai_settings FOR EACH ROW EXECUTE FUNCTION ai_settings_own_id();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER ai_settings_own_id ON ai_settings; DROP FUNCTION ai_settings_own_id()');
  }
}
