import { seenThrough } from '../../../platform/resource/read/sight';
import { defineResource } from '../../../platform/resource/resource';
import { AutomationRun } from './automation-run.entity';

export const automationRunResource = defineResource(AutomationRun, {
  name: 'automation_runs',
  singular: 'automation_run',
  table: 'automation_runs',
  sort: {},
  defaultSort: '-id',
  filter: ['status', 'event', 'reason'],
  log: true,
  sight: { rows: seenThrough('tickets', 'ticket_id') },
});
