import { invalid } from '../../platform/errors/api-error';
import type { FilterSpec } from '../../platform/query/filters';
import { defineResource } from '../../platform/resource/resource';
import { IntegrationLog } from './integration-log.entity';

const minDuration: FilterSpec = {
  schema: { type: 'integer', minimum: 0 },
  description: 'Only what took at least so many milliseconds.',
  parse: (raw, name) => {
    if (!/^\d{1,9}$/.test(raw)) invalid(name, 'type', `"${name}" must be a whole number of milliseconds.`);
    return Number(raw);
  },
  sql: (alias, value, bind) => `${alias}.duration_ms >= ${bind(value)}::integer`,
};

export const integrationLogResource = defineResource(IntegrationLog, {
  name: 'integration_logs',
  singular: 'integration_log',
  table: 'integration_logs',
  sort: { duration_ms: { column: 'duration_ms', type: 'integer' } },
  filter: ['status', 'event', 'direction'],
  where: { min_duration_ms: minDuration },
  expand: { integration: { one: 'integrations', by: 'integration_id' } },
  log: true,
});
