import { columnFilter, type FilterSpec, integerFilter, overlapFilter } from '../../platform/query/filters';
import { seenObjects } from '../../platform/resource/read/sight';
import { defineResource } from '../../platform/resource/resource';
import { AuditLog } from './audit-log.entity';

/** The kind of actor, which the record shows inside `actor`. */
const actorType = { name: 'actor_type', kind: 'string', nullable: false, required: false, readOnly: true } as const;

const among = overlapFilter((alias) => `${alias}.events`, 'any');
/** The condition of that index (see the migration that made it). */
const SEVERAL = (alias: string): string => `cardinality(${alias}.events) > 1`;
const begins = (type: string | number): boolean => /\.(created|updated|deleted)$/.test(String(type));

/**
 * Changes with any of these events. Those that a change begins with are found by the first of them, in the order of the list: there may
 * be a million. Events that only come behind others are found by an index of the changes that have several.
 */
const eventFilter: FilterSpec<(string | number)[]> = {
  ...among,
  description: 'Types of events, comma-separated; changes having any of them.',
  sql: (alias, types, bind) => {
    const later = types.filter((type) => !begins(type));
    const first = `${alias}.event = ANY(${bind(types)}::text[])`;
    return later.length === 0 ? first : `(${first} OR ${SEVERAL(alias)} AND ${among.sql(alias, later, bind)})`;
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
