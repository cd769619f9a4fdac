import { MailThatComesBack1766210000000 } from '../../../migrations/1766210000000-mail-that-comes-back';
import { defineArea } from '../../platform/area/area';
import { usualPermissions } from '../../platform/context/permission-table';
import { changesOf } from '../../platform/events/event-domain';
import { contactResource } from './contact.resource';
import { ContactsModule } from './contacts.module';
import { contactsPersonal } from './contacts.personal';

/** People who ask for help. */
export const contactsArea = defineArea({
  name: 'contacts',
  module: ContactsModule,
  resources: [contactResource],
  migrations: [MailThatComesBack1766210000000],
  permissions: usualPermissions('contacts', 'contacts', {
    read: 'light_agent',
    create: 'agent',
    update: 'agent',
    delete: 'supervisor',
  }),
  personal: contactsPersonal,
  events: {
    domain: 'company',
    label: 'Companies and contacts',
    events: {
      ...changesOf('contact', 'A contact'),
      'contact.mail_bounced': 'Mail to a contact came back: there is no such mailbox.',
      'contact.merged': 'A contact took in another one, who is the same person; `data.merged` says which.',
    },
    beside: { 'contact.merged': { merged: { id: 43, email: 'paul.weber@acme.example', name: 'Paul Weber' } } },
  },
  stats: [{ resource: contactResource, place: 20, example: 210 }],
  tags: [{ name: 'Contacts', place: 30, description: 'People who ask for help.' }],
});
