import { CreateComment, UpdateComment } from '../../src/areas/tickets/comment.dto';
import { commentResource } from '../../src/areas/tickets/comment.resource';
import { describeResource } from '../support/describe-resource';

describeResource({
  resource: commentResource,
  path: ({ ticket }) => `/tickets/${ticket}/comments`,
  bodies: { create: CreateComment, update: UpdateComment },
  prepare: async (api) => ({
    ticket: (await api.post('/tickets', { subject: 'Jam', requester_email: 'ada@example.com' })).expect(201).data.id,
  }),
  create: (serial) => ({
    body: `  Comment **${serial}**\n`,
    is_internal: serial % 3 === 0,
    author_type: serial % 3 === 1 ? 'requester' : 'agent',
  }),
  update: (serial) => ({ body: `Rewritten ${serial}` }),
  required: ['body'],
  invalid: {
    body: ['', 7, 'x'.repeat(65_537), null],
    is_internal: ['yes', 1, null],
    author_type: ['system', 'automation', 'ai', 7],
  },
  eventsOf: ({ ticket }) => ({ object: 'ticket', id: ticket ?? 0 }),
  events: {
    created: 'ticket.comment_added',
    updated: 'ticket.comment_updated',
    deleted: 'ticket.comment_deleted',
  },
});
