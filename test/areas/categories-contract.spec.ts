import { CreateCategory, UpdateCategory } from '../../src/areas/categories/category.dto';
import { categoryResource } from '../../src/areas/categories/category.resource';
import { describeResource } from '../support/describe-resource';

describeResource({
  resource: categoryResource,
  path: () => '/categories',
  bodies: { create: CreateCategory, update: UpdateCategory },
  prepare: async (api) => ({
    user: (await api.post('/users', { name: 'Eve', email: 'eve@example.com' })).expect(201).data.id,
    team: (await api.post('/teams', { name: 'First line' })).expect(201).data.id,
    parent: (await api.post('/categories', { name: 'Everything' })).expect(201).data.id,
  }),
  create: (serial, made) => ({
    name: `Topic ${serial % 5} ${serial}`,
    description: serial % 2 ? `About ${serial}` : null,
    parent_id: serial % 3 ? made.parent : null,
    color: serial % 2 ? '#aaBB09' : null,
    icon: 'tag',
    default_priority: ['low', 'urgent', null][serial % 3],
    default_team_id: serial % 2 ? made.team : null,
    default_assignee_id: made.user,
    escalate_to_user_id: made.user,
    required_skills: serial % 2 ? ['Billing', 'vpn'] : [],
    is_active: serial % 4 !== 0,
    ...(serial % 2 ? { position: serial % 10 } : {}),
  }),
  update: (serial, made) => ({
    name: `Renamed ${serial}`,
    description: 'Other',
    parent_id: null,
    color: '#000000',
    default_priority: 'high',
    default_team_id: made.team,
    required_skills: ['networking'],
    is_active: false,
    position: serial,
  }),
  required: ['name'],
  invalid: {
    name: ['', ' ', 7, 'x'.repeat(121)],
    description: [7, 'x'.repeat(2_001)],
    color: ['red', '#12345', '#12345g', 7],
    default_priority: ['top', '', 7],
    is_active: ['true', 1],
    position: [-1, 1.5, '1', 1_000_001],
    default_team_id: ['x', 0, -1],
    required_skills: ['vpn', [7], ['']],
  },
});
