import { CreateActiveDirectory1766700000000 } from '../../../migrations/1766700000000-create-active-directory';
import { SpeakScim1767500000000 } from '../../../migrations/1767500000000-speak-scim';
import { KnowGroupsBetter1768500000000 } from '../../../migrations/1768500000000-know-groups-better';
import { PhotosOfPeople1768501000000 } from '../../../migrations/1768501000000-photos-of-people';
import { PhotosThatAreSent1768801000000 } from '../../../migrations/1768801000000-photos-that-are-sent';
import { DirectoriesKnowContacts1768840000000 } from '../../../migrations/1768840000000-directories-know-contacts';
import { AskScimByValues1768110000000 } from '../../../migrations/1768110000000-ask-scim-by-values';
import { TouchWhatChanged1768100000000 } from '../../../migrations/1768100000000-touch-what-changed';
import { defineArea } from '../../platform/area/area';
import { usualPermissions } from '../../platform/context/permission-table';
import { changesOf } from '../../platform/events/event-domain';
import { ActiveDirectoryModule } from './active-directory.module';
import { activeDirectoryPersonal } from './active-directory.personal';
import { connectionResource } from './connections/connection.resource';
import { directoryGroupResource } from './objects/directory-group.resource';
import { directoryUserResource } from './objects/directory-user.resource';
import { changeResource } from './runs/change.resource';
import { runResource } from './runs/run.resource';

/** Directories that say who works here. */
export const activeDirectoryArea = defineArea({
  name: 'active-directory',
  module: ActiveDirectoryModule,
  resources: [connectionResource, directoryUserResource, directoryGroupResource, runResource, changeResource],
  migrations: [
    CreateActiveDirectory1766700000000,
    SpeakScim1767500000000,
    TouchWhatChanged1768100000000,
    AskScimByValues1768110000000,
    KnowGroupsBetter1768500000000,
    PhotosOfPeople1768501000000,
    PhotosThatAreSent1768801000000,
    DirectoriesKnowContacts1768840000000,
  ],
  personal: activeDirectoryPersonal,
  permissions: [
    ...usualPermissions('active-directory', 'directories, what they know and what they change', {
      read: 'admin',
      create: 'admin',
      update: 'admin',
      delete: 'admin',
    }),
    {
      name: 'scim.provision',
      description: 'Speak SCIM. Only with the token of a connection, which is good for nothing else.',
      from: 'owner',
    },
  ],
  events: {
    domain: 'directory',
    label: 'Active Directory',
    events: {
      ...changesOf('directory_connection', 'A connection to a directory'),
      'directory_connection.synced': 'A directory was compared with the workspace.',
      'directory_connection.failed': 'A directory could not be read.',
      'directory_connection.quarantined': 'A directory rests: three runs in a row failed, or one waits for approval.',
      'directory_run.created': 'A run was begun.',
      'directory_run.updated': 'More was sent for a run.',
      'directory_run.started': 'A run is being done.',
      'directory_run.planned': 'It is known what a run changes.',
      'directory_run.awaiting_approval': 'A run waits for approval: more people would lose access than may without.',
      'directory_run.approved': 'A run was approved.',
      'directory_run.completed': 'A run is over.',
      'directory_run.failed': 'A run could not be done.',
      'directory_run.cancelled': 'A run was stopped.',
      'directory_user.updated': 'Somebody of a directory is another contact: theirs was merged into that one.',
      'directory_user.linked':
        'It is known who somebody of a directory is here: somebody said so, or a run found them.',
      'directory_user.disabled': 'Somebody of a directory lost access here by a run.',
      'directory_user.unlinked': 'Somebody of a directory is nobody here any more.',
      'directory_user.ignored': 'Somebody of a directory is left alone.',
      'directory_group.updated': 'Somebody said what a group of a directory means here.',
    },
    aliases: {
      'directory.sync_started': 'directory_run.started',
      'directory.sync_completed': 'directory_run.completed',
      'directory.sync_failed': 'directory_run.failed',
      'directory.sync_approval_required': 'directory_run.awaiting_approval',
      'directory.user_linked': 'directory_user.linked',
      'directory.user_disabled': 'directory_user.disabled',
    },
  },
  examples: {
    'activeDirectory.sync.runs.approve': { id: 2 },
    'activeDirectory.sync.runs.cancel': { id: 2 },
    'activeDirectory.connections.token': { id: 3 },
  },
  tags: [
    {
      name: 'Active Directory',
      place: 183,
      description: 'Directories that say who works here: people, groups, what they mean, and what each run changes.',
    },
  ],
});
