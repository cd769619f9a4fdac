import { ERASED, type PersonalTable, RESOURCE_TEXTS } from '../../platform/area/personal';

/** What conversations hold of people: who is at the other end is the person. What agents said stays, without the person's name in it. */
export const channelsPersonal: readonly PersonalTable[] = [
  {
    table: 'channels',
    texts: [...RESOURCE_TEXTS, 'name', 'topic', 'address', 'config', 'auto_reply', 'last_error'],
    free: ['type', 'direction', 'status', 'default_priority'],
    sealed: ['sealed'],
  },
  {
    table: 'channel_threads',
    own: {
      object: 'channel_thread',
      of: ({ contact }) => `r.contact_id = ${contact}`,
      // Whoever writes from there again begins another conversation.
      erase: { subject: null, peer_address: null, peer_name: ERASED, conversation: null },
      names: ['peer_name'],
    },
    texts: [...RESOURCE_TEXTS, 'subject', 'peer_address', 'peer_name', 'conversation'],
    free: ['status'],
  },
  {
    table: 'channel_messages',
    own: {
      object: 'message',
      of: ({ contact }) => `(r.author_type = 'contact' AND r.author_id = ${contact})`,
      erase: {
        ...{ body: ERASED, author_name: ERASED, attachments: [], custom_fields: {}, external_message_id: null },
        ...{ metadata: {}, template: null },
      },
      names: ['author_name'],
    },
    about: [
      { object: `'channel_thread'`, id: 'r.thread_id' },
      { object: `'comment'`, id: 'r.comment_id' },
    ],
    erase: { attachments: [] },
    // What it says, the comment said.
    rule: ({ about, values }) => {
      if (about[1]) Object.assign(values, { body: ERASED, attachments: [], metadata: {}, template: null });
    },
    texts: [
      ...[...RESOURCE_TEXTS, 'body', 'author_name', 'attachments', 'error', 'external_message_id'],
      ...['metadata', 'template', 'part_ids'],
    ],
    free: ['direction', 'message_type', 'author_type', 'status'],
    export: `r.direction <> 'internal'`,
  },
  {
    table: 'channel_reactions',
    key: ['message_id', 'emoji', 'who'],
    texts: ['who'],
    free: ['emoji'],
    export: false,
  },
  {
    table: 'channel_identities',
    key: ['kind', 'address'],
    about: [{ object: `'contact'`, id: 'r.contact_id' }],
    texts: ['address'],
    free: ['kind'],
    // Whoever writes from there again is another contact.
    rule: ({ about, drop }) => {
      if (about.some(Boolean)) drop();
    },
  },
];
