import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A clock is found by its ticket, its promise and its number; nobody asks for it by its id, so no index has that. */
export class ClocksByTheirKey1767002000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sla_clocks DROP CONSTRAINT sla_clocks_pkey,
        ADD CONSTRAINT sla_clocks_pkey PRIMARY KEY USING INDEX uq_sla_clocks_instance;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sla_clocks DROP CONSTRAINT sla_clocks_pkey, ADD PRIMARY KEY (workspace_id, id);
      CREATE UNIQUE INDEX uq_sla_clocks_instance ON sla_clocks (workspace_id, ticket_id, metric, instance_no);
    `);
  }
}
