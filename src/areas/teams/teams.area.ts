import { defineArea } from '../../platform/area/area';
import { changesOf } from '../../platform/events/event-domain';
import { teamResource } from './team.resource';
import { TeamsModule } from './teams.module';

/** Groups of users that tickets are assigned to. */
export const teamsArea = defineArea({
  name: 'teams',
  module: TeamsModule,
  resources: [teamResource],
  events: { domain: 'user', label: 'Users and teams', events: changesOf('team', 'A team') },
  tags: [{ name: 'Teams', place: 50, description: 'Groups of users that tickets are assigned to.' }],
});
