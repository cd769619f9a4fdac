import { CreateMessage, UpdateMessage } from '../../src/areas/channels/message.dto';
import { messageResource } from '../../src/areas/channels/message.resource';
import { describeResource } from '../support/describe-resource';

describeResource({
  resource: messageResource,
  path: () => '/teams/messages',
  bodies: { create: CreateMessage, update: UpdateMessage },
  prepare: async (api) => {
    const channel = (await api.post('/teams/channels', { type: 'internal', name: 'Desk' })).expect(201).data.id;
    const { data } = (await api.post('/teams/messages', { channel_id: channel, body: 'The first word' })).expect(201);
    return { channel, first: data.id, thread: Number(data.thread_id) };
  },
  create: (serial, made) => ({
    channel_id: made.channel,
    thread_id: made.thread,
    reply_to_id: serial % 2 ? made.first : null,
    body: `  Message **${serial}**\n`,
    metadata: serial % 2 ? { order: `A-${serial}`, places: [1, 2] } : {},
  }),
  update: (serial) => ({ body: `Rewritten ${serial}` }),
  required: ['channel_id', 'body'],
  invalid: {
    channel_id: ['x', 0, null],
    thread_id: ['x', 0],
    reply_to_id: ['x', 0],
    body: ['', 7, 'x'.repeat(65_537), null],
    metadata: [7, [], { a: { b: 1 } }],
    template: [7, {}, { name: 'Order', language: 'en' }, { name: 'x', language: 'english' }],
  },
  filters: (all) => {
    const middle = all[7]?.id ?? 0;
    return {
      before_id: { text: String(middle), test: ({ id }) => id < middle },
      after_id: { text: String(middle), test: ({ id }) => id > middle },
    };
  },
  eventsOf: ({ thread }) => ({ object: 'channel_thread', id: thread ?? 0 }),
  events: {
    created: 'channel_thread.message_added',
    updated: 'channel_thread.message_updated',
    deleted: 'channel_thread.message_deleted',
  },
  afterDelete: { body: '', attachments: [], metadata: {} },
});
