import { recordCopy } from '../../platform/area/personal-copies';
import type { PersonalTable } from '../../platform/area/personal';

/** Who did what stays; what the person was called, said and called from does not. */
export const auditPersonal: readonly PersonalTable[] = [
  {
    table: 'audit_logs',
    about: [{ object: 'r.resource', id: 'r.resource_id' }],
    texts: ['resource_name', 'actor', 'changes', 'ip'],
    free: ['event_id', 'event', 'events', 'action', 'resource', 'actor_type', 'request_id', 'causation'],
    also: ['resource', 'actor_type'],
    rule: (row) => {
      const resource = String(row.values.resource);
      recordCopy(row, resource);
      if (row.about[0] && Object.keys(row.losses(resource)).length > 0) row.values.resource_name = null;
      if (row.about[0] && row.values.actor_type === 'requester') row.values.ip = null;
    },
    copy: true,
    log: { holder: `CASE WHEN r.resource = 'ticket' THEN r.resource_id END` },
  },
];
