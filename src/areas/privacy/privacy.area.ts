import { CreateErasures1766300000000 } from '../../../migrations/1766300000000-create-erasures';
import { CreateRetentionRuns1766310000000 } from '../../../migrations/1766310000000-create-retention-runs';
import { RetainWithoutTexts1767110000000 } from '../../../migrations/1767110000000-retain-without-texts';
import { defineArea } from '../../platform/area/area';
import { erasureResource } from './erasure.resource';
import { PrivacyAreaModule } from './privacy.module';
import { privacyPersonal } from './privacy.personal';
import { retentionRunResource } from './retention/retention-run.resource';

/** What people may ask of a workspace that knows them: to be told, and to be forgotten. */
export const privacyArea = defineArea({
  name: 'privacy',
  module: PrivacyAreaModule,
  resources: [erasureResource, retentionRunResource],
  migrations: [CreateErasures1766300000000, CreateRetentionRuns1766310000000, RetainWithoutTexts1767110000000],
  permissions: [
    { name: 'contacts.erase', description: 'Erase contacts from everything that is kept.', from: 'admin' },
    {
      name: 'contact-exports.read',
      description: 'Export all that is kept of a contact, tickets that one does not see among it.',
      from: 'admin',
    },
    { name: 'erasures.read', description: 'See which contacts were erased, and how far it is.', from: 'admin' },
    {
      name: 'retention-runs.read',
      description: 'See what was deleted because its time was over, and what would be.',
      from: 'admin',
    },
  ],
  personal: privacyPersonal,
  events: {
    domain: 'company',
    label: 'Companies and contacts',
    events: {
      'contact.erased': 'A person is erased: the record has lost them, the rest follows.',
      'erasure.created': 'The erasure of a contact, or of tickets whose time is over, was asked for.',
      'erasure.started': 'The erasure of a contact began.',
      'erasure.completed': 'A contact is erased from everything that the workspace keeps.',
      'retention_run.created': 'A rule of how long things are kept is being carried out.',
      'retention_run.completed': 'A rule of how long things are kept was carried out.',
    },
    beside: { 'contact.erased': { erasure: { id: 17 } } },
  },
  demo: [
    { resource: erasureResource, values: { contact_id: 4711, status: 'completed' } },
    { resource: retentionRunResource, values: { rule: 'tickets', days: 730, status: 'completed' } },
  ],
  tags: [
    {
      name: 'Privacy',
      place: 32,
      description: 'Erasing a person, telling what is kept of one, and how long tickets are kept.',
    },
  ],
});
