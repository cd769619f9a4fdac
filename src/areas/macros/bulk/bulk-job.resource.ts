import { defineResource } from '../../../platform/resource/resource';
import { BulkJob } from './bulk-job.entity';

export const bulkJobResource = defineResource(BulkJob, {
  name: 'bulk_jobs',
  singular: 'bulk_job',
  table: 'bulk_jobs',
  sort: {},
  filter: ['kind', 'status', 'macro_id', 'undoes_id'],
  expand: { macro: { one: 'macros', by: 'macro_id' } },
  notice: { path: '/bulk-jobs' },
});
