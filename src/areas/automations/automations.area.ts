import { CreateAutomations1763700300000 } from '../../../migrations/1763700300000-create-automations';
import { ShareTickets1764100000000 } from '../../../migrations/1764100000000-share-tickets';
import { defineArea } from '../../platform/area/area';
import { usualPermissions } from '../../platform/context/permission-table';
import { changesOf } from '../../platform/events/event-domain';
import { ownActions } from './action-catalogue';
import { automationResource } from './automation.resource';
import { AutomationsModule } from './automations.module';
import { automationRunResource } from './engine/automation-run.resource';
import { AssignAction } from './engine/actions/assign.action';
import { CreateMeetingAction } from './engine/actions/create-meeting.action';
import { CreateTicketAction } from './engine/actions/create-ticket.action';
import { FieldActions } from './engine/actions/field-actions';
import { MailActions } from './engine/actions/mail-actions';
import { WebhookAction } from './engine/actions/webhook.action';
import { AutomationConsumer } from './engine/consumer';
import { automationsPersonal } from './automations.personal';

const RUN = { id: 17, object: 'ticket', object_id: 43, event: 'ticket.created' };
const ACTION = { type: 'set_priority' };

/** Rules that act on records by themselves, and the log of what they did. */
export const automationsArea = defineArea({
  name: 'automations',
  module: AutomationsModule,
  resources: [automationResource, automationRunResource],
  migrations: [CreateAutomations1763700300000, ShareTickets1764100000000],
  permissions: usualPermissions('automations', 'automations and what they did', {
    read: 'supervisor',
    create: 'admin',
    update: 'admin',
    delete: 'admin',
  }),
  personal: automationsPersonal,
  events: {
    domain: 'automation',
    label: 'Automations',
    events: {
      ...changesOf('automation', 'An automation'),
      'automation.executed': 'An automation acted on a record.',
      'automation.failed': 'An action of an automation failed.',
      'automation.suspended': 'An automation was suspended because it ran too often.',
    },
    beside: {
      'automation.executed': {
        run: { ...RUN, status: 'succeeded', actions: [{ ...ACTION, status: 'done', error: null }] },
      },
      'automation.failed': {
        run: { ...RUN, status: 'failed', actions: [{ ...ACTION, status: 'failed', error: 'No such user.' }] },
      },
      'automation.suspended': {
        reason: 'It ran more than 1000 times in an hour.',
        record: { object: 'ticket', id: 43 },
      },
    },
  },
  consumers: [AutomationConsumer],
  actions: ownActions,
  performers: [FieldActions, AssignAction, MailActions, WebhookAction, CreateTicketAction, CreateMeetingAction],
  stats: [{ resource: automationResource, place: 100, example: 6 }],
  tags: [
    {
      name: 'Automations',
      place: 90,
      description: 'Rules that act on tickets by themselves, and the log of what they did.',
    },
  ],
});
