import { ERASED, type PersonalTable, RESOURCE_TEXTS } from '../../platform/area/personal';

/** Nobody looks into files: those of the person's tickets and comments go whole. Of others a name is looked for in what they are called. */
export const attachmentsPersonal: readonly PersonalTable[] = [
  {
    table: 'attachments',
    // Known by what they belong to; their events outlive them.
    own: { object: 'attachment', of: () => 'false', erase: { filename: ERASED } },
    about: [
      { object: `'comment'`, id: 'r.comment_id' },
      { object: `'ticket'`, id: 'r.ticket_id' },
      { object: `'message'`, id: 'r.message_id' },
    ],
    texts: [...RESOURCE_TEXTS, 'filename'],
    free: ['content_type', 'declared_type', 'sha256', 'scan', 'content_id', 'storage_key'],
    rule: ({ about, drop }) => {
      if (about.some(Boolean)) drop();
    },
  },
  { table: 'attachment_waste', free: ['storage_key'] },
];
