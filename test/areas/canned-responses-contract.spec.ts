import { CreateCannedResponse, UpdateCannedResponse } from '../../src/areas/responses/canned-response.dto';
import { cannedResponseResource } from '../../src/areas/responses/canned-response.resource';
import { describeResource } from '../support/describe-resource';

describeResource({
  resource: cannedResponseResource,
  path: () => '/canned-responses',
  bodies: { create: CreateCannedResponse, update: UpdateCannedResponse },
  prepare: async (api) => ({
    front: (await api.post('/teams', { name: 'Front' })).expect(201).data.id,
    back: (await api.post('/teams', { name: 'Back' })).expect(201).data.id,
  }),
  create: (serial, made) => ({
    title: `Answer ${serial % 7} ${serial}`,
    body: `Hello {{requester.name}}, number${serial} is {{ticket.code}}.`,
    shortcut: serial % 5 ? `/r${serial}` : null,
    folder: serial % 3 ? `Folder ${serial % 4}` : null,
    tags: `tag${serial % 3},all`,
    ai_answers: serial % 4 === 0,
    sharing: serial % 2 ? 'teams' : 'everyone',
    team_ids: [serial % 3 ? made.front : made.back],
  }),
  update: (serial, made) => ({
    title: `Renamed ${serial}`,
    body: 'Other {{agent.name}}',
    shortcut: `/u${serial}`,
    folder: 'Elsewhere',
    tags: 'other',
    ai_answers: true,
    sharing: 'teams',
    team_ids: [made.back],
  }),
  required: ['title', 'body'],
  invalid: {
    title: ['', ' ', 7, 'x'.repeat(256)],
    body: ['', 7, 'x'.repeat(65_537), '{{ticket.nothing}}', '{{#ticket.code}}x{{/ticket.code}}'],
    shortcut: ['thanks', '/', '/Thanks', '/a b', 7, `/${'x'.repeat(64)}`],
    folder: ['', 7, 'x'.repeat(121)],
    tags: [7, ['x'.repeat(51)]],
    ai_answers: ['yes', 1, null],
    sharing: ['nobody', 7, 'private'],
    team_ids: ['x', [0], 7],
  },
  filters: (_all, { front }) => ({
    tags: { text: 'tag1', test: ({ tags }) => (tags as string).split(',').includes('tag1') },
    team_id: { text: String(front), test: ({ team_ids }) => (team_ids as number[]).includes(front ?? 0) },
  }),
});
