import { defineResource } from '../../platform/resource/resource';
import { Team } from './team.entity';

export const teamResource = defineResource(Team, {
  name: 'teams',
  singular: 'team',
  table: 'teams',
  sort: { name: { column: 'name', type: 'text' } },
  filter: ['is_active', 'lead_user_id'],
  search: { view: 'teams_search', over: ['name', 'description', 'texts of custom_fields'] },
  expand: { lead: { one: 'users', by: 'lead_user_id' } },
  notice: { path: '/teams', title: ['name'] },
});
