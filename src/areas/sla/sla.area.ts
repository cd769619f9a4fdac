import { CreateSlaPolicies1763600200000 } from '../../../migrations/1763600200000-create-sla-policies';
import { CreateSlaClocks1763700200000 } from '../../../migrations/1763700200000-create-sla-clocks';
import { ClocksByTheirKey1767002000000 } from '../../../migrations/1767002000000-clocks-by-their-key';
import { StepsByWhatTheySay1768930000000 } from '../../../migrations/1768930000000-steps-by-what-they-say';
import { ClocksKeepTheirFigures1768945000000 } from '../../../migrations/1768945000000-clocks-keep-their-figures';
import { defineArea } from '../../platform/area/area';
import { usualPermissions } from '../../platform/context/permission-table';
import { changesOf } from '../../platform/events/event-domain';
import { besideClocks } from './sla-events';
import { SlaLinks } from './sla-links';
import { slaPolicyResource } from './sla-policy.resource';
import { SlaModule } from './sla.module';
import { slaPersonal } from './sla.personal';

/** Policies that set clocks for tickets, and how well they are kept. */
export const slaArea = defineArea({
  name: 'sla',
  module: SlaModule,
  resources: [slaPolicyResource],
  migrations: [
    CreateSlaPolicies1763600200000,
    CreateSlaClocks1763700200000,
    ClocksByTheirKey1767002000000,
    StepsByWhatTheySay1768930000000,
    ClocksKeepTheirFigures1768945000000,
  ],
  permissions: [
    ...usualPermissions('sla', 'SLA policies and how they are kept', {
      read: 'light_agent',
      create: 'admin',
      update: 'admin',
      delete: 'admin',
    }),
    { name: 'sla.simulate', description: 'See what a policy would make of a ticket.', from: 'agent' },
  ],
  personal: slaPersonal,
  events: {
    domain: 'sla',
    label: 'Service levels',
    events: {
      'ticket.sla_breach': 'A ticket missed a target of its SLA policy; `data.sla` names it.',
      'ticket.sla_at_risk': 'A ticket is about to miss a target of its SLA policy.',
      'ticket.sla_met': 'A ticket met a target of its SLA policy.',
      'ticket.sla_paused': 'The clocks of a ticket stand still.',
      'ticket.sla_resumed': 'The clocks of a ticket run again.',
      ...changesOf('sla_policy', 'An SLA policy'),
    },
    aliases: { 'sla.breach': 'ticket.sla_breach' },
    beside: besideClocks,
  },
  consumers: [SlaLinks],
  triggers: ['ticket.sla_breach', 'ticket.sla_at_risk', 'ticket.sla_met', 'ticket.sla_paused', 'ticket.sla_resumed'],
  tags: [
    {
      name: 'SLA',
      place: 80,
      description: 'Policies that say how fast tickets are answered and resolved, and how well that is kept.',
    },
  ],
  examples: {
    'sla.delete': { id: 2 },
  },
});
