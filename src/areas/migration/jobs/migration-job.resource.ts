import { defineResource } from '../../../platform/resource/resource';
import { MigrationJob } from './migration-job.entity';

export const migrationJobResource = defineResource(MigrationJob, {
  name: 'migration_jobs',
  singular: 'migration_job',
  table: 'migration_jobs',
  told: {
    created: 'migration.job_created',
    updated: 'migration.job_updated',
    deleted: 'migration.job_deleted',
  },
  sort: {},
  filter: ['status', 'source', 'mode'],
  search: { view: 'migration_jobs_search', over: ['name', 'texts of custom_fields'] },
  expand: { creator: { one: 'users', by: 'created_by' } },
  notice: { path: '/migration/jobs', title: ['name'] },
  // What it shows of records, those that failed and those that it changed, is of all tickets.
  sight: { rows: ({ reach }) => (reach === 'all' ? null : 'false') },
});
