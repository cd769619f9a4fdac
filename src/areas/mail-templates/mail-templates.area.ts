import { CreateMailTemplates1766220000000 } from '../../../migrations/1766220000000-create-mail-templates';
import { defineArea } from '../../platform/area/area';
import { usualPermissions } from '../../platform/context/permission-table';
import { changesOf } from '../../platform/events/event-domain';
import { mailTemplateResource } from './mail-template.resource';
import { MailTemplatesModule } from './mail-templates.module';
import { mailTemplatesPersonal } from './mail-templates.personal';

/** What workspaces write in place of the service's own mails. */
export const mailTemplatesArea = defineArea({
  name: 'mail-templates',
  module: MailTemplatesModule,
  resources: [mailTemplateResource],
  migrations: [CreateMailTemplates1766220000000],
  permissions: usualPermissions('mail-templates', 'mail templates', {
    read: 'agent',
    create: 'admin',
    update: 'admin',
    delete: 'admin',
  }),
  personal: mailTemplatesPersonal,
  events: {
    domain: 'mail_template',
    label: 'Mail templates',
    events: changesOf('mail_template', 'A mail template'),
  },
  demo: [
    {
      resource: mailTemplateResource,
      values: {
        kind: 'ticket_received',
        language: 'en',
        subject: '[{{ticket.code}}] We have your request',
        body: 'Hello {{requester.name}},\n\nthank you for writing to {{workspace.name}}. Your request **{{ticket.subject}}** is with us; we answer within a working day.',
      },
    },
  ],
  tags: [
    {
      name: 'Mail templates',
      place: 93,
      description: 'What a workspace writes in place of the service’s own mails, by kind and language.',
    },
  ],
});
