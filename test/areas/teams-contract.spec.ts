import { CreateTeam, UpdateTeam } from '../../src/areas/teams/team.dto';
import { teamResource } from '../../src/areas/teams/team.resource';
import { describeResource } from '../support/describe-resource';

describeResource({
  resource: teamResource,
  path: () => '/teams',
  bodies: { create: CreateTeam, update: UpdateTeam },
  prepare: async (api) => ({
    lead: (await api.post('/users', { name: 'Lead', email: 'lead@example.com' })).expect(201).data.id,
    deputy: (await api.post('/users', { name: 'Deputy', email: 'deputy@example.com' })).expect(201).data.id,
    team: (await api.post('/teams', { name: 'Upstairs' })).expect(201).data.id,
  }),
  create: (serial, made) => ({
    name: `Team ${serial % 7} ${serial}`,
    description: serial % 3 ? `Number ${serial}` : null,
    lead_user_id: [made.lead, made.deputy, null][serial % 3],
    escalate_to_team_id: serial % 2 ? made.team : null,
    assignment: [
      { method: 'manual' },
      { method: 'round_robin', max_open_per_agent: 5, unassigned_after_minutes: null },
      { method: 'least_loaded', unassigned_after_minutes: 30 },
    ][serial % 3],
    is_active: serial % 4 !== 0,
    signature: serial % 2 ? 'Second **line**' : null,
  }),
  update: (serial, { deputy }) => ({
    name: `Renamed ${serial}`,
    description: 'Other',
    lead_user_id: deputy,
    assignment: { method: 'least_loaded' },
    is_active: false,
  }),
  required: ['name'],
  invalid: {
    name: ['', '   ', 7, null, 'x'.repeat(121), ['x'], {}],
    description: [7, 'x'.repeat(2_001)],
    lead_user_id: ['x', 0, -1, 1.5, true, 9_007_199_254_740_993],
    assignment: [
      null,
      'manual',
      {},
      { method: 'random' },
      { method: 'manual', max_open_per_agent: 0 },
      { method: 'manual', unassigned_after_minutes: 1.5 },
      { method: 'manual', other: 1 },
    ],
    is_active: ['true', 1, 'yes'],
    signature: [7, 'x'.repeat(5_001)],
    external_id: ['', 7, 'x'.repeat(256)],
  },
});
