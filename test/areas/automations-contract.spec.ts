import { CreateAutomation, UpdateAutomation } from '../../src/areas/automations/automation.dto';
import { automationResource } from '../../src/areas/automations/automation.resource';
import { describeResource } from '../support/describe-resource';

const events = ['ticket.created', 'ticket.updated', 'ticket.resolved'];

describeResource({
  resource: automationResource,
  path: () => '/automations',
  bodies: { create: CreateAutomation, update: UpdateAutomation },
  create: (serial) => ({
    name: `Rule ${serial % 7} ${serial}`,
    description: serial % 2 ? `About ${serial}` : null,
    is_active: serial % 4 !== 0,
    stop_processing: serial % 2 === 0,
    trigger: { event: events[serial % 3] },
    conditions: serial % 2 ? { all: [{ field: 'priority', operator: 'eq', value: 'low' }] } : {},
    actions: [{ type: 'stop' }],
    run_once_per_ticket: serial % 2 === 1,
    delay_minutes: serial % 5,
    only_in_business_hours: serial % 3 === 0,
    ...(serial % 2 ? { position: serial % 10 } : {}),
  }),
  update: (serial) => ({
    name: `Renamed ${serial}`,
    description: 'Other',
    is_active: false,
    position: serial,
    stop_processing: true,
    trigger: { event: 'ticket.closed', filters: { priority: ['low', 'high'] } },
    conditions: { any: [{ not: { field: 'tags', operator: 'has_any', value: ['vip'] } }] },
    actions: [{ type: 'stop', on_error: 'stop' }],
    run_once_per_ticket: true,
    delay_minutes: serial,
    only_in_business_hours: true,
  }),
  required: ['name', 'trigger', 'actions'],
  invalid: {
    name: ['', ' ', 7, 'x'.repeat(256)],
    description: [7, 'x'.repeat(4_001)],
    is_active: ['yes', 1],
    position: [-1, 1.5, '1', 1_000_001],
    stop_processing: ['no', 0],
    trigger: ['', 7, []],
    conditions: [[], 'x', 7],
    actions: [[], {}, 'stop', Array.from({ length: 21 }, () => ({ type: 'stop' })), [7]],
    run_once_per_ticket: ['no', 0],
    delay_minutes: [-1, 0.5, '1', 43_201],
    only_in_business_hours: ['no', 0],
  },
  filters: () => ({
    event: {
      text: 'ticket.created,ticket.closed',
      test: ({ trigger }) => (trigger as { event: string }).event === 'ticket.created',
    },
  }),
});
