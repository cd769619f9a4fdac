import { defineResource } from '../../../platform/resource/resource';
import { DirectoryRun } from './run.entity';

export const runResource = defineResource(DirectoryRun, {
  name: 'directory_runs',
  singular: 'directory_run',
  table: 'directory_runs',
  sort: { finished_at: { column: 'finished_at', type: 'timestamptz', nullable: true } },
  filter: ['connection_id', 'mode', 'trigger', 'status', 'is_dry_run'],
  expand: { connection: { one: 'directory_connections', by: 'connection_id' } },
});
