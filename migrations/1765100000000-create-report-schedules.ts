import type { MigrationInterface, QueryRunner } from 'typeorm';
import { filterIndex, resourceColumns, resourceIndexes, sortIndex } from './support/v1/resource-table';
import { confine } from './support/v1/row-level-security';
import { nullableSortIndexes } from './support/v2/nullable-sort-indexes';

/** Reports that are sent by mail, again and again. */
export class CreateReportSchedules1765100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE report_schedules (
        name text NOT NULL,
        report text NOT NULL CONSTRAINT ck_report_schedules_report CHECK (report IN ('sla', 'agents', 'csat')),
        group_by text[] NOT NULL DEFAULT '{}',
        period text NOT NULL DEFAULT 'last_7_days'
          CONSTRAINT ck_report_schedules_period CHECK (period IN ('yesterday', 'last_7_days', 'last_30_days', 'last_week', 'last_month')),
        schedule text NOT NULL DEFAULT 'weekly',
        format text NOT NULL DEFAULT 'csv' CONSTRAINT ck_report_schedules_format CHECK (format IN ('csv', 'xlsx')),
        recipients text[] NOT NULL,
        is_active boolean NOT NULL DEFAULT true,
        last_sent_at timestamptz(3),
        next_send_at timestamptz(3),
        due_at timestamptz(3),
        taken_at timestamptz(3),
        ${resourceColumns}
      );
      ${resourceIndexes('report_schedules')}
      ${sortIndex('report_schedules', 'name')}
      ${nullableSortIndexes('report_schedules', 'next_send_at', 'timestamptz')}
      ${filterIndex('report_schedules', 'report')}
      ${filterIndex('report_schedules', 'is_active')}
      CREATE INDEX report_schedules_due ON report_schedules (due_at) WHERE due_at IS NOT NULL;
    `);
    await runner.query(confine('report_schedules'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE report_schedules`);
  }
}
