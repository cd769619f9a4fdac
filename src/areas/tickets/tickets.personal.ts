import { ERASED, type PersonalTable, RESOURCE_TEXTS } from '../../platform/area/personal';

/** What tickets hold of people: whoever asks is the person. What agents said stays, without the person's name in it. */
export const ticketsPersonal: readonly PersonalTable[] = [
  {
    table: 'tickets',
    own: {
      object: 'ticket',
      of: ({ contact, emails }) =>
        `(r.contact_id = ${contact} OR (r.contact_id IS NULL AND lower(r.requester_email) = ANY(${emails})))`,
      erase: {
        subject: ERASED,
        description: ERASED,
        requester_email: null,
        requester_name: null,
        csat_comment: null,
      },
      anonymise: {
        contact_id: null,
        cc_emails: [],
        custom_fields: {},
        external_id: null,
        last_escalation_reason: null,
        escalations: [],
        // Of an escalation that an event tells of.
        reason: null,
      },
      inRelated: { rating: { comment: null } },
      names: ['requester_name'],
    },
    texts: [
      ...RESOURCE_TEXTS,
      'subject',
      'description',
      'requester_email',
      'requester_name',
      'tags',
      'last_escalation_reason',
      'escalations',
      'csat_comment',
      'cc_emails',
    ],
    free: [
      'code',
      'status',
      'priority',
      'channel',
      'type',
      'sla_status',
      'on_hold_reason',
      'language',
      'sentiment',
      'required_skills',
    ],
  },
  {
    table: 'ticket_comments',
    own: {
      object: 'comment',
      of: ({ contact, emails }) =>
        `(r.author_type = 'requester' AND (r.author_id = ${contact} OR lower(r.author_email) = ANY(${emails})))`,
      erase: { body: ERASED, author_name: ERASED, author_email: null, attachments: [], custom_fields: {} },
      names: ['author_name'],
    },
    about: [{ object: `'ticket'`, id: 'r.ticket_id' }],
    // Files of their tickets go, whoever sent them.
    erase: { attachments: [] },
    texts: [...RESOURCE_TEXTS, 'body', 'author_name', 'author_email', 'attachments'],
    free: ['author_type', 'channel'],
    export: 'NOT r.is_internal',
  },
  {
    table: 'ticket_ratings',
    about: [{ object: `'ticket'`, id: 'r.ticket_id' }],
    erase: { comment: null },
    texts: ['comment'],
    free: ['source'],
  },
  { table: 'ticket_statuses', texts: [...RESOURCE_TEXTS, 'name', 'description'], free: ['status', 'color'] },
  { table: 'ticket_texts', derived: ['search_text'] },
  // Words that thousands of tickets have in common tell nothing of one of them.
  { table: 'ticket_common_words', free: ['word'] },
  { table: 'ticket_word_bits', free: ['word'] },
  // Beginnings that tell many subjects from others, and no more of them.
  { table: 'ticket_rank_bounds', free: ['sort_column', 'texts'] },
  // Of such words, too.
  { table: 'ticket_asked_phrases', free: ['phrase'] },
  { table: 'ticket_handovers', free: ['cause'] },
  { table: 'ticket_links', free: ['type'] },
  { table: 'ticket_followers', free: ['reason'] },
  {
    table: 'ticket_incident_runs',
    about: [{ object: `'ticket'`, id: 'r.ticket_id' }],
    texts: ['comment'],
    free: ['asked_by'],
    export: false,
  },
];
