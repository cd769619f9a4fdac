import { CreateMacro, UpdateMacro } from '../../src/areas/macros/macro.dto';
import { macroResource } from '../../src/areas/macros/macro.resource';
import { describeResource } from '../support/describe-resource';

describeResource({
  resource: macroResource,
  path: () => '/macros',
  bodies: { create: CreateMacro, update: UpdateMacro },
  prepare: async (api) => ({
    front: (await api.post('/teams', { name: 'Front' })).expect(201).data.id,
    back: (await api.post('/teams', { name: 'Back' })).expect(201).data.id,
  }),
  create: (serial, made) => ({
    name: `Macro ${serial % 7} ${serial}`,
    description: serial % 2 ? `About ${serial}` : null,
    is_active: serial % 4 !== 0,
    actions: [{ type: 'add_tags', tags: 'vip' }],
    sharing: serial % 2 ? 'teams' : 'everyone',
    team_ids: [serial % 3 ? made.front : made.back],
    ...(serial % 2 ? { position: serial % 10 } : {}),
  }),
  update: (serial, made) => ({
    name: `Renamed ${serial}`,
    description: 'Other',
    is_active: false,
    actions: [{ type: 'stop', on_error: 'stop' }],
    position: serial,
    sharing: 'teams',
    team_ids: [made.back],
  }),
  required: ['name', 'actions'],
  invalid: {
    name: ['', ' ', 7, 'x'.repeat(256)],
    description: [7, 'x'.repeat(2_001)],
    is_active: ['yes', 1],
    actions: [[], {}, 'stop', Array.from({ length: 21 }, () => ({ type: 'stop' })), [7]],
    position: [-1, 1.5, '1', 1_000_001],
    sharing: ['nobody', 7, 'private'],
    team_ids: ['x', [0], 7],
  },
  filters: (_all, { front }) => ({
    team_id: { text: String(front), test: ({ team_ids }) => (team_ids as number[]).includes(front ?? 0) },
  }),
});
