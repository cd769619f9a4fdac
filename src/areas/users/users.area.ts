import { CreateTeamsAndUsers1763600300000 } from '../../../migrations/1763600300000-create-teams-and-users';
import { NotifyUsers1765020000000 } from '../../../migrations/1765020000000-notify-users';
import { defineArea } from '../../platform/area/area';
import { AgentNotices } from './notices/agent-notices';
import { userResource } from './user.resource';
import { userSearch } from './user-search';
import { UsersModule } from './users.module';

/** People who help: agents, supervisors and administrators. */
export const usersArea = defineArea({
  name: 'users',
  module: UsersModule,
  resources: [userResource],
  migrations: [CreateTeamsAndUsers1763600300000, NotifyUsers1765020000000],
  consumers: [AgentNotices],
  events: {
    domain: 'user',
    label: 'Users and teams',
    events: {
      'user.created': 'A user was created.',
      'user.updated': 'A user was changed; `changes` names the fields.',
      'user.deactivated': 'A user was deactivated.',
      'user.availability_changed': 'A user came online, went away or offline.',
    },
  },
  search: [userSearch],
  stats: [{ resource: userResource, place: 30, example: 12 }],
  tags: [{ name: 'Users', place: 40, description: 'People who help: agents, supervisors and administrators.' }],
  examples: {
    'users.delete': { id: 7 },
  },
});
