import { CreateErasures1766300000000 } from '../../../migrations/1766300000000-create-erasures';
import { defineArea } from '../../platform/area/area';
import { erasureResource } from './erasure.resource';
import { PrivacyAreaModule } from './privacy.module';
import { privacyPersonal } from './privacy.personal';

/** What people may ask of a workspace that knows them: to be told, and to be forgotten. */
export const privacyArea = defineArea({
  name: 'privacy',
  module: PrivacyAreaModule,
  resources: [erasureResource],
  migrations: [CreateErasures1766300000000],
  permissions: [
    { name: 'contacts.erase', description: 'Erase contacts from everything that is kept.', from: 'admin' },
    {
      name: 'contact-exports.read',
      description: 'Export all that is kept of a contact, tickets that one does not see among it.',
      from: 'admin',
    },
    { name: 'erasures.read', description: 'See which contacts were erased, and how far it is.', from: 'admin' },
  ],
  personal: privacyPersonal,
  events: {
    domain: 'company',
    label: 'Companies and contacts',
    events: {
      'contact.erased': 'A person is erased: the record has lost them, the rest follows.',
      'erasure.created': 'The erasure of a contact was asked for.',
      'erasure.started': 'The erasure of a contact began.',
      'erasure.completed': 'A contact is erased from everything that the workspace keeps.',
    },
  },
  demo: [{ resource: erasureResource, values: { contact_id: 4711, status: 'completed' } }],
  tags: [{ name: 'Privacy', place: 32, description: 'Erasing a person, and telling what is kept of one.' }],
});
