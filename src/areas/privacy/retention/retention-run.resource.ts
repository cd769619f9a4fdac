import { defineResource } from '../../../platform/resource/resource';
import { RetentionRun } from './retention-run.entity';

export const retentionRunResource = defineResource(RetentionRun, {
  name: 'retention_runs',
  singular: 'retention_run',
  table: 'retention_runs',
  sort: {},
  filter: ['rule', 'status'],
  notice: { path: '/retention-runs' },
});
