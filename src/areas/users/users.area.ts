import { CreateTeamsAndUsers1763600300000 } from '../../../migrations/1763600300000-create-teams-and-users';
import { NotifyUsers1765020000000 } from '../../../migrations/1765020000000-notify-users';
import { KnowWhoHasTokens1767300100000 } from '../../../migrations/1767300100000-know-who-has-tokens';
import { PeopleAreAnnouncedByWorkspace1768992001000 } from '../../../migrations/1768992001000-people-are-announced-by-workspace';
import { CreateRoles1765390000000 } from '../../../migrations/1765390000000-create-roles';
import { defineArea } from '../../platform/area/area';
import { usualPermissions } from '../../platform/context/permission-table';
import { changesOf } from '../../platform/events/event-domain';
import { AgentNotices } from './notices/agent-notices';
import { roleResource } from './roles/role.resource';
import { userResource } from './user.resource';
import { userSearch } from './user-search';
import { UsersModule } from './users.module';
import { usersPersonal } from './users.personal';

/** People who help: agents, supervisors and administrators. */
export const usersArea = defineArea({
  name: 'users',
  module: UsersModule,
  resources: [userResource, roleResource],
  migrations: [
    CreateTeamsAndUsers1763600300000,
    NotifyUsers1765020000000,
    CreateRoles1765390000000,
    KnowWhoHasTokens1767300100000,
    PeopleAreAnnouncedByWorkspace1768992001000,
  ],
  personal: usersPersonal,
  consumers: [AgentNotices],
  permissions: [
    ...usualPermissions('users', 'users', { read: 'light_agent', create: 'admin', update: 'admin', delete: 'admin' }),
    { name: 'users.self', description: 'Change the own profile, availability and absence.', from: 'everyone' },
    { name: 'users.owners', description: 'Make owners, change them and remove them.', from: 'owner' },
    ...usualPermissions('roles', 'custom roles', { read: 'agent', create: 'admin', update: 'admin', delete: 'admin' }),
  ],
  events: {
    domain: 'user',
    label: 'Users and teams',
    events: {
      'user.created': 'A user was created.',
      'user.updated': 'A user was changed; `changes` names the fields.',
      'user.deactivated': 'A user was deactivated.',
      'user.deleted': 'A user was deactivated by deleting them; the record stays readable.',
      'user.availability_changed': 'A user came online, went away or offline.',
      ...changesOf('role', 'A custom role'),
    },
  },
  search: [userSearch],
  stats: [{ resource: userResource, place: 30, example: 12 }],
  demo: [
    {
      resource: roleResource,
      values: {
        name: 'Quality assurance',
        description: 'Reads along and leaves notes.',
        permissions: ['tickets.read', 'tickets.comment', 'kb.read', 'kb.internal', 'stats.read', 'sla.read'],
      },
    },
  ],
  tags: [
    { name: 'Users', place: 40, description: 'People who help: agents, supervisors and administrators.' },
    { name: 'Roles', place: 45, description: 'What people may do: permissions, and custom roles made of them.' },
  ],
  examples: {
    'users.delete': { id: 7 },
  },
});
