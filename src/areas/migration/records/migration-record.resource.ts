import { defineResource } from '../../../platform/resource/resource';
import { MigrationRecord } from './migration-record.entity';

export const migrationRecordResource = defineResource(MigrationRecord, {
  name: 'migration_records',
  singular: 'migration_record',
  table: 'migration_records',
  told: null,
  sort: { processed_at: { column: 'processed_at', type: 'timestamptz' } },
  defaultSort: 'processed_at',
  filter: ['status', 'entity', 'local_id'],
  where: {
    external_id: {
      schema: { type: 'string', maxLength: 255 },
      description: 'What it is known by in the source.',
      parse: (raw) => raw.slice(0, 255),
      sql: (alias, value, bind) => `${alias}.external_id = ${bind(value)}`,
    },
  },
  log: true,
});
