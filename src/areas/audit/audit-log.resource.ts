import { columnFilter, type FilterSpec, integerFilter, overlapFilter } from '../../platform/query/filters';
import { seenObjects } from '../../platform/resource/read/sight';
import { defineResource } from '../../platform/resource/resource';
import { AuditLog } from './audit-log.entity';

/** The kind of actor, which the record shows inside `actor`. */
const actorType = { name: 'actor_type', kind: 'string', nullable: false, required: false, readOnly: true } as const;

const among = overlapFilter((alias) => `${alias}.events`, 'any');
const begins = (type: string | number): boolean => /\.(created|updated|deleted)$/.test(String(type));

/**
 * Changes with any of these events. Those that every change begins with are looked for at the beginning, in the order of
 * the list: there may be a million of them.
 */
const eventFilter: FilterSpec<(string | number)[]> = {
  ...among,
  description: 'Types of events, comma-separated; changes having any of them.',
  sql: (alias, types, bind) => {
    const [first, later] = [types.filter(begins), types.filter((type) => !begins(type))];
    const parts = [
      ...(first.length ? [`${alias}.event = ANY(${bind(first)}::text[])`] : []),
      ...(later.length ? [among.sql(alias, later, bind)] : []),
    ];
    return `(${parts.join(' OR ')})`;
  },
};

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
  sight: { rows: (sight, log) => seenObjects(sight, `${log}.resource`, `${log}.resource_id`, `${log}.workspace_id`) },
});
