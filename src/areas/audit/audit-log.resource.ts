import { columnFilter, type FilterSpec, integerFilter, overlapFilter } from '../../platform/resource/filters';
import { defineResource } from '../../platform/resource/resource';
import { AuditLog } from './audit-log.entity';

/** The kind of actor, which the record shows inside `actor`. */
const actorType = { name: 'actor_type', kind: 'string', nullable: false, required: false, readOnly: true } as const;

const among = overlapFilter((alias) => `${alias}.events`, 'any');

/**
 * Changes with any of these events. Those that every change begins with are looked for at the beginning, in the order of
 * the list: there may be a million of them.
 */
const eventFilter: FilterSpec = {
  ...among,
  description: 'Types of events, comma-separated; changes having any of them.',
  sql: (alias, value, bind) => {
    const types = value as string[];
    const [first, later] = [types.filter((type) => BEGINS.test(type)), types.filter((type) => !BEGINS.test(type))];
    const parts = [
      ...(first.length ? [`${alias}.event = ANY(${bind(first)}::text[])`] : []),
      ...(later.length ? [among.sql(alias, later, bind)] : []),
    ];
    return `(${parts.join(' OR ')})`;
  },
};

const BEGINS = /\.(created|updated|deleted)$/;

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
    event: eventFilter,
  },
  search: { view: 'audit_logs_search', over: ['resource_name'] },
  counters: ['actor_type', 'action', 'resource'],
  log: true,
});
