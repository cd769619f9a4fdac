import type { Row } from '../../../platform/resource/rows';
import type { MigrationJob } from '../jobs/migration-job.entity';
import { serviceOf } from '../services/services';

/** Whether records come without what they name and is not here: who worked at a service years ago may be gone since. */
export function leavesOut({ options, source }: Pick<Row<MigrationJob>, 'options' | 'source'>): boolean {
  return (options.unresolved ?? (serviceOf(source) ? 'leave_out' : 'fail')) === 'leave_out';
}
