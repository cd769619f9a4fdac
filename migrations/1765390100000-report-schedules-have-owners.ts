import type { MigrationInterface, QueryRunner } from 'typeorm';
import { filterIndex, reference } from './support/v1/resource-table';

/** Whose sight bounds a report that is sent by mail; those that there are were made when all was seen by everybody. */
export class ReportSchedulesHaveOwners1765390100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE report_schedules ADD COLUMN owner_id bigint;
      ${reference('report_schedules', 'owner_id', 'users', 'cascade')}
      ${filterIndex('report_schedules', 'owner_id', { partial: true })}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE report_schedules DROP COLUMN owner_id`);
  }
}
