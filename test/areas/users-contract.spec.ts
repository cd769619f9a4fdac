import { CreateUser, UpdateUser } from '../../src/areas/users/user.dto';
import { userResource } from '../../src/areas/users/user.resource';
import { describeResource } from '../support/describe-resource';

const weekly = { mon: [['09:00', '17:00']] };

describeResource({
  resource: userResource,
  path: () => '/users',
  bodies: { create: CreateUser, update: UpdateUser },
  prepare: async (api) => ({
    team: (await api.post('/teams', { name: 'First line' })).expect(201).data.id,
    manager: (await api.post('/users', { name: 'Boss', email: 'boss@example.com', role: 'owner' })).expect(201).data.id,
  }),
  create: (serial, made) => ({
    name: `Agent ${serial % 6}`,
    email: `agent${serial}@example.com`,
    role: ['agent', 'admin', 'light_agent'][serial % 3],
    status: serial % 5 ? 'active' : 'invited',
    title: serial % 2 ? `Title ${serial}` : null,
    phone: '+49 30 901820',
    avatar_url: 'https://cdn.example.com/a.png',
    signature: '  Regards  ',
    timezone: 'Europe/Berlin',
    locale: 'de-AT',
    team_ids: serial % 2 ? [made.team] : [],
    skills: serial % 3 ? ['billing'] : ['networking', 'vpn'],
    ticket_scope: 'teams',
    availability: 'offline',
    out_of_office: { from: '2036-08-03T00:00:00.000Z', replacement_user_id: made.manager },
    schedule: serial % 2 ? { mode: 'business_hours', timezone: 'Europe/Berlin', weekly } : null,
    notifications: serial % 2 ? { replied: 'mail', quiet_hours: { from: '20:00', to: '08:00' } } : {},
    max_open_tickets: 30,
    manager_id: serial % 2 ? made.manager : null,
  }),
  update: (serial, made) => ({
    name: `Renamed ${serial}`,
    email: `renamed${serial}@example.com`,
    role: 'supervisor',
    status: 'suspended',
    team_ids: [made.team],
    skills: ['other'],
    availability: 'away',
    out_of_office: { from: '2036-09-03T00:00:00.000Z', to: '2036-09-04T00:00:00.000Z' },
    schedule: { mode: '24x7' },
    notifications: { assigned: 'none', automations: 'none', only_mine: false, quiet_hours: null },
    manager_id: made.manager,
    max_open_tickets: 0,
  }),
  required: ['name', 'email'],
  invalid: {
    name: ['', 7, 'x'.repeat(121)],
    email: ['', 'x', 'a@b', 7, `${'x'.repeat(250)}@example.com`, 'a b@example.com'],
    role: ['boss', '', 7],
    status: ['gone', 7],
    avatar_url: ['x', 'ftp://example.com/a', 'javascript:alert(1)'],
    timezone: ['Mars/Base', '', '+02:00', 7],
    locale: ['not a locale', '', 7],
    team_ids: [1, ['x'], [0], [1.5], '1'],
    skills: ['x', [''], [7], ['a', 'a'], ['x'.repeat(51)]],
    notifications: [7, [], { assigned: 'pigeon' }, { quiet_hours: { from: '08:00' } }, { colour: 'red' }],
    availability: ['busy'],
    schedule: [7, {}, { mode: 'business_hours', timezone: 'Mars/Base', weekly }, { mode: '24x7', weekly }],
    max_open_tickets: [-1, 1.5, '3', 100_001],
    out_of_office: [
      'x',
      [],
      { to: '2036-08-03T00:00:00.000Z' },
      { from: 'x' },
      { from: '2036-08-03T00:00:00.000Z', to: '2036-08-02T00:00:00.000Z' },
      { from: '2036-08-03T00:00:00.000Z', replacement_user_id: 'x' },
      { from: '2036-08-03T00:00:00.000Z', colour: 'red' },
    ],
  },
  filters: (_all, { team }) => ({
    team_id: { text: String(team), test: (row) => (row.team_ids as number[]).includes(team ?? 0) },
    skill: { text: 'VPN,other', test: (row) => (row.skills as string[]).includes('vpn') },
  }),
  // Created offline, so that leaving is the last that happens to them.
  arrange: (sql, workspaceId) =>
    sql.rows(`UPDATE users SET availability = 'online' WHERE workspace_id = $1 AND id % 2 = 0`, [workspaceId]),
  afterDelete: { status: 'deactivated', availability: 'offline' },
});
