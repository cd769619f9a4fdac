import { columnFilter, integerFilter, overlapFilter } from '../../platform/resource/filters';
import { defineResource } from '../../platform/resource/resource';
import { AuditLog } from './audit-log.entity';

/** The kind of actor, which the record shows inside `actor`. */
const actorType = { name: 'actor_type', kind: 'string', nullable: false, required: false, readOnly: true } as const;

export const auditLogResource = defineResource(AuditLog, {
  name: 'audit_logs',
  singular: 'audit_log',
  table: 'audit_logs',
  sort: {},
  filter: ['action', 'resource', 'resource_id', 'request_id', 'token_id'],
  where: {
    actor_type: {
      ...columnFilter({ ...actorType, default: null }),
      description: '`user`, `token`, `automation`, `system` and so on; several comma-separated.',
    },
    actor_id: integerFilter('actor_id'),
    event: overlapFilter((alias) => `${alias}.events`, 'any'),
  },
  search: { view: 'audit_logs_search', over: ['resource_name'] },
  tally: ['actor_type', 'action', 'resource'],
  log: true,
});
