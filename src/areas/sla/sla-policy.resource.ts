import { seenCount, seenRecord } from '../../platform/resource/read/sight';
import { defineResource } from '../../platform/resource/resource';
import { complianceOf, SlaPolicy } from './sla-policy.entity';

export const slaPolicyResource = defineResource(SlaPolicy, {
  name: 'sla_policies',
  singular: 'sla_policy',
  called: { one: 'SLA policy', many: 'SLA policies' },
  table: 'sla_policies',
  sort: { position: { column: 'position', type: 'integer' }, name: { column: 'name', type: 'text' } },
  defaultSort: 'position',
  filter: ['is_active', 'is_default', 'schedule_id'],
  search: { view: 'sla_policies_search', over: ['name', 'description', 'texts of custom_fields'] },
  expand: { followed_schedule: { one: 'schedules', by: 'schedule_id' } },
  sight: {
    columns: {
      compliance_30d: (sight, policy) => {
        const seen = seenRecord('tickets', 'x.ticket_id', 'x.workspace_id', sight);
        return seen && complianceOf(policy, seen);
      },
      ticket_count: (sight, policy) => seenCount('tickets', sight, policy, (n) => `${n}.sla_policy_id = ${policy}.id`),
    },
  },
  notice: { path: '/sla', title: ['name'] },
});
