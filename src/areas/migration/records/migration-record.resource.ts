import { seenThrough } from '../../../platform/resource/read/sight';
import { defineResource } from '../../../platform/resource/resource';
import { invalid } from '../../../platform/errors/api-error';
import { isLonger } from '../../../platform/text/normalise';
import { MigrationRecord } from './migration-record.entity';

const MAX_ID = 255;

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
      schema: { type: 'string', maxLength: MAX_ID },
      description: 'What it is known by in the source.',
      parse: (raw, name) =>
        isLonger(raw, MAX_ID)
          ? invalid(name, 'max', `"${name}" has at most ${MAX_ID} characters.`, { max: MAX_ID })
          : raw,
      sql: (alias, value, bind) => `${alias}.external_id = ${bind(value)}`,
    },
  },
  search: { view: 'migration_records_search', over: ['external_id', 'message of error'] },
  sight: { rows: seenThrough('migration_jobs', 'job_id') },
  log: true,
});
