import { defineArea } from '../../platform/area/area';
import { changesOf } from '../../platform/events/event-domain';
import { contactResource } from './contact.resource';
import { ContactsModule } from './contacts.module';

/** People who ask for help. */
export const contactsArea = defineArea({
  name: 'contacts',
  module: ContactsModule,
  resources: [contactResource],
  events: {
    domain: 'company',
    label: 'Companies and contacts',
    events: changesOf('contact', 'A contact'),
  },
  stats: [{ resource: contactResource, place: 20, example: 210 }],
  tags: [{ name: 'Contacts', place: 30, description: 'People who ask for help.' }],
});
