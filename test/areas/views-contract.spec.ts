import { CreateView, UpdateView } from '../../src/areas/views/view.dto';
import { viewResource } from '../../src/areas/views/view.resource';
import { describeResource } from '../support/describe-resource';

describeResource({
  resource: viewResource,
  path: () => '/views',
  bodies: { create: CreateView, update: UpdateView },
  prepare: async (api) => ({
    front: (await api.post('/teams', { name: 'Front' })).expect(201).data.id,
    back: (await api.post('/teams', { name: 'Back' })).expect(201).data.id,
  }),
  create: (serial, made) => ({
    name: `View ${serial % 7} ${serial}`,
    description: serial % 2 ? `About ${serial}` : null,
    resource: serial % 3 ? 'tickets' : 'companies',
    filters: serial % 3 ? { status: 'open,on_hold', assigned_to: 'me' } : { is_vip: 'true' },
    sort: serial % 3 ? null : '-name',
    columns: serial % 3 ? ['id', 'subject', 'company'] : [],
    sharing: serial % 2 ? 'teams' : 'everyone',
    team_ids: [serial % 3 ? made.front : made.back],
    ...(serial % 2 ? { position: serial % 10 } : {}),
  }),
  update: (serial, made) => ({
    name: `Renamed ${serial}`,
    description: 'Other',
    resource: 'tickets',
    filters: { priority: 'high', q: 'printer' },
    sort: '-priority',
    columns: ['id', 'code'],
    position: serial,
    sharing: 'teams',
    team_ids: [made.back],
  }),
  required: ['name'],
  invalid: {
    name: ['', ' ', 7, 'x'.repeat(256)],
    description: [7, 'x'.repeat(2_001)],
    resource: ['', 7, 'zzz', 'ticket_comments', 'x'.repeat(65)],
    filters: [[], 'x', 7, { zzz: '1' }, { ids: 'zz' }, { ids: { a: 1 } }, { page: '1' }],
    sort: ['', 'zzz', 7, 'workspace_id', '-'],
    columns: ['id', ['zzz'], [7], ['workspace_id']],
    position: [-1, 1.5, '1', 1_000_001],
    sharing: ['nobody', 7, 'private'],
    team_ids: ['x', [0], 7],
  },
  filters: (_all, { front }) => ({
    team_id: { text: String(front), test: ({ team_ids }) => (team_ids as number[]).includes(front ?? 0) },
  }),
});
