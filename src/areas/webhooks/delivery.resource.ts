import { invalid } from '../../platform/errors/api-error';
import type { FilterSpec } from '../../platform/query/filters';
import { several } from '../../platform/query/values';
import { seenObjects } from '../../platform/resource/read/sight';
import { defineResource } from '../../platform/resource/resource';
import { deliveredEventFilter } from './webhook-events';
import { shownStatus, WebhookDelivery } from './delivery.entity';
import { DELIVERY_STATUSES } from './webhook-values';

/** The stored states are written into the SQL, so that PostgreSQL can see that the index of unfinished ones will do. */
const statusFilter: FilterSpec<string[]> = {
  schema: { ...several({ type: 'string', enum: [...DELIVERY_STATUSES] }), example: 'failed' },
  description: 'Any of these.',
  parse: (raw, name) => {
    const wanted = raw.split(',').map((item) => item.trim());
    const allowed: readonly string[] = DELIVERY_STATUSES;
    if (wanted.some((status) => !allowed.includes(status)))
      invalid(name, 'enum', `"${name}" must be one of ${allowed.join(', ')}.`, { allowed });
    return [...new Set(wanted)];
  },
  sql: (alias, wanted, bind) => {
    const stored = wanted.flatMap((status) => (status === 'delivering' ? ['pending', 'retrying'] : [status]));
    const list = [...new Set(stored)].map((status) => `'${status}'`).join(', ');
    return `${alias}.status IN (${list}) AND (${shownStatus(alias)}) = ANY(${bind(wanted)}::text[])`;
  },
};

export const deliveryResource = defineResource(WebhookDelivery, {
  name: 'webhook_deliveries',
  singular: 'webhook_delivery',
  table: 'webhook_deliveries',
  sort: {},
  filter: ['response_status'],
  where: { status: statusFilter, event: deliveredEventFilter },
  log: true,
  sight: {
    rows: (sight, alias) => {
      const seen = seenObjects(sight, 'e.object', 'e.object_id', 'e.workspace_id');
      if (seen === null) return null;
      return `EXISTS (SELECT FROM events e WHERE e.workspace_id = ${alias}.workspace_id AND e.id = ${alias}.event_row AND ${seen})`;
    },
  },
});
