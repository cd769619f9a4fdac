import { type PersonalTable, RESOURCE_TEXTS } from '../../platform/area/personal';

export const slaPersonal: readonly PersonalTable[] = [
  {
    table: 'sla_policies',
    texts: [...RESOURCE_TEXTS, 'name', 'description', 'conditions', 'escalation'],
    free: ['targets', 'schedule', 'pause_statuses', 'pause_metrics'],
  },
  { table: 'sla_clocks', free: ['metric', 'priority_applied', 'pauses', 'outcome', 'figures'] },
  { table: 'sla_history', free: ['change', 'metric', 'cause'] },
  { table: 'sla_escalations', free: ['metric'] },
];
