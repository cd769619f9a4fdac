import { defineResource } from '../../../platform/resource/resource';
import { BulkJob } from './bulk-job.entity';

export const bulkJobResource = defineResource(BulkJob, {
  name: 'bulk_jobs',
  singular: 'bulk_job',
  table: 'bulk_jobs',
  sort: {},
  filter: ['kind', 'status', 'macro_id', 'undoes_id'],
  expand: { macro: { one: 'macros', by: 'macro_id' } },
  // What others did is about tickets that somebody with limits may not see, and says which.
  sight: { rows: ({ reach }, job) => (reach === 'all' ? null : `(${job}.acting -> 'user' ->> 'id')::bigint = {me}`) },
  notice: { path: '/bulk-jobs' },
});
