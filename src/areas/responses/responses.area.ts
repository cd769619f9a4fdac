import { CreateCannedResponses1765200000000 } from '../../../migrations/1765200000000-create-canned-responses';
import { AnswerWithCannedResponses1768700000000 } from '../../../migrations/1768700000000-answer-with-canned-responses';
import { defineArea } from '../../platform/area/area';
import { usualPermissions } from '../../platform/context/permission-table';
import { changesOf } from '../../platform/events/event-domain';
import { cannedResponseResource } from './canned-response.resource';
import { ResponsesModule } from './responses.module';
import { responsesPersonal } from './responses.personal';

/** Texts that agents answer with again and again. */
export const responsesArea = defineArea({
  name: 'responses',
  module: ResponsesModule,
  resources: [cannedResponseResource],
  migrations: [CreateCannedResponses1765200000000, AnswerWithCannedResponses1768700000000],
  permissions: usualPermissions('canned-responses', 'canned responses that one shares in', {
    read: 'agent',
    create: 'agent',
    update: 'agent',
    delete: 'agent',
  }),
  personal: responsesPersonal,
  events: {
    domain: 'canned_response',
    label: 'Canned responses',
    events: changesOf('canned_response', 'A canned response'),
  },
  demo: [
    {
      resource: cannedResponseResource,
      values: {
        title: 'We are on it',
        shortcut: '/onit',
        folder: 'First answers',
        tags: 'greeting',
        body: 'Hello {{requester.name}},\n\nthank you for writing. We look into **{{ticket.subject}}** ({{ticket.code}}) and come back to you.\n\n{{agent.name}}',
      },
    },
    {
      resource: cannedResponseResource,
      values: {
        title: 'Have you tried to restart it?',
        shortcut: '/restart',
        folder: 'First answers',
        tags: 'hardware',
        body: 'Hello {{requester.name}},\n\nplease switch the device off, wait for ten seconds and switch it on again. Does {{ticket.code}} still happen then?\n\n{{agent.name}}',
      },
    },
  ],
  tags: [
    {
      name: 'Canned responses',
      place: 92,
      description: 'Texts that agents answer with again and again, with variables of the ticket.',
    },
  ],
});
