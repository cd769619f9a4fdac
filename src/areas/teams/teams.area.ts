import { ListsNameTeamsThatAreThere1768981000000 } from '../../../migrations/1768981000000-lists-name-teams-that-are-there';
import { defineArea } from '../../platform/area/area';
import { usualPermissions } from '../../platform/context/permission-table';
import { changesOf } from '../../platform/events/event-domain';
import { teamResource } from './team.resource';
import { TeamsModule } from './teams.module';
import { teamsPersonal } from './teams.personal';

/** Groups of users that tickets are assigned to. */
export const teamsArea = defineArea({
  name: 'teams',
  module: TeamsModule,
  resources: [teamResource],
  migrations: [ListsNameTeamsThatAreThere1768981000000],
  permissions: usualPermissions('teams', 'teams', {
    read: 'light_agent',
    create: 'admin',
    update: 'admin',
    delete: 'admin',
  }),
  personal: teamsPersonal,
  events: { domain: 'user', label: 'Users and teams', events: changesOf('team', 'A team') },
  tags: [{ name: 'Teams', place: 50, description: 'Groups of users that tickets are assigned to.' }],
});
