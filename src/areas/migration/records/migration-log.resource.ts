import { seenThrough } from '../../../platform/resource/read/sight';
import { defineResource } from '../../../platform/resource/resource';
import { MigrationLog } from './migration-log.entity';

export const migrationLogResource = defineResource(MigrationLog, {
  name: 'migration_logs',
  singular: 'migration_log',
  table: 'migration_logs',
  told: null,
  sort: {},
  defaultSort: 'created_at',
  filter: ['level', 'entity'],
  sight: { rows: seenThrough('migration_jobs', 'job_id') },
  log: true,
});
