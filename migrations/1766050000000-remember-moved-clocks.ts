import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sandboxes say whether their clock was moved, which every node hears; until then they are as cheap as other workspaces. */
export class RememberMovedClocks1766050000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sandboxes ADD COLUMN has_moved boolean NOT NULL DEFAULT false;
      UPDATE sandboxes SET has_moved = true WHERE ahead_ms > 0;
      DROP TRIGGER sandboxes_access_changed ON sandboxes;
      CREATE TRIGGER sandboxes_access_changed AFTER UPDATE OF has_moved ON sandboxes
        FOR EACH ROW WHEN (NEW.has_moved AND NOT OLD.has_moved) EXECUTE FUNCTION announce_access_changed();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER sandboxes_access_changed ON sandboxes;
      CREATE TRIGGER sandboxes_access_changed AFTER INSERT ON sandboxes
        FOR EACH STATEMENT EXECUTE FUNCTION announce_access_changed();
      ALTER TABLE sandboxes DROP COLUMN has_moved;
    `);
  }
}
