import { ERASED, ERASED_ADDRESS, type PersonalRow, type PersonalTable } from './personal';
import { recordCopy } from './personal-copies';

const WITHDRAWN = { code: 'withdrawn', message: 'Whom it was for or about was erased.', isPermanent: true };

/** What the platform itself keeps of people: copies that it made of records, and mail. */
export const platformPersonal: readonly PersonalTable[] = [
  {
    table: 'events',
    about: [{ object: 'r.object', id: 'r.object_id' }, { members: 'r.related' }],
    texts: ['actor', 'changes', 'data', 'related', 'origin'],
    free: ['uid', 'type', 'object', 'sequence_id', 'causation'],
    also: ['object'],
    rule: (row) => {
      recordCopy(row, String(row.values.object));
      if (row.about[0] && isVisitor(row.values.actor)) row.values.origin = null;
    },
    copy: true,
  },
  {
    table: 'outgoing_mails',
    about: [{ object: `'ticket'`, id: 'r.ticket_id' }],
    texts: [
      'recipients',
      'cc',
      'reply_to',
      'subject',
      'body',
      'html',
      'letter',
      'in_reply_to',
      'thread',
      'attachments',
      'error',
    ],
    free: ['status', 'message_id', 'once_key'],
    also: ['status'],
    rule: letter,
    copy: true,
    log: { only: `r.status <> 'queued'`, holder: 'r.ticket_id' },
    export: 'true',
  },
  {
    table: 'mail_messages',
    key: ['message_id'],
    about: [{ object: `'ticket'`, id: 'r.ticket_id' }],
    erase: { sender: null },
    texts: ['message_id', 'sender'],
    free: ['direction'],
    copy: true,
  },
  { table: 'outgoing_mail_recipients', key: ['mail_id', 'address'], texts: ['address'], copy: true },
  { table: 'mail_bounces', key: ['address'], texts: ['address', 'reason'], copy: true },
  { table: 'event_outbox', key: ['event_id'], texts: ['error'] },
  { table: 'work', texts: ['error'], free: ['kind', 'state'] },
  {
    table: 'idempotency_keys',
    key: ['key'],
    texts: ['key'],
    free: ['fingerprint', 'headers', 'about', 'event_uid', 'ending'],
    sealed: ['body'],
  },
  { table: 'sandboxes', free: ['contents'] },
  { table: 'tokens', free: ['type', 'name', 'hash', 'prefix', 'last4', 'scopes'] },
  { table: 'resource_tallies', free: ['resource', 'd1', 'd2', 'd3'] },
  { table: 'resource_tally_deltas', free: ['resource', 'd1', 'd2', 'd3'] },
  { table: 'erased_records', free: ['object'] },
  // Whoever runs workspaces, and what they pay for: the operator's own customers.
  { table: 'developers', free: ['name', 'email', 'status'] },
  { table: 'tenants', free: ['name', 'status'] },
  { table: 'apps', free: ['name', 'status'] },
  { table: 'plans', free: ['key', 'name'] },
  { table: 'subscriptions', free: ['status'] },
  { table: 'platform_facts', free: ['name', 'value'] },
];

const isVisitor = (actor: unknown): boolean =>
  typeof actor === 'object' && actor !== null && 'type' in actor && actor.type === 'requester';

/** Mail to the person, and about what is theirs: that it was sent stays. What waits is not sent any more. */
function letter({ values, about, mentions, isAnonymous }: PersonalRow): void {
  const isTheirs = mentions(values.recipients) || mentions(values.cc) || mentions(values.reply_to);
  if (!about[0] && !isTheirs) return;
  Object.assign(values, { subject: ERASED, body: ERASED, html: null, letter: {}, attachments: [] });
  if (isAnonymous) Object.assign(values, { recipients: [ERASED_ADDRESS], cc: [], reply_to: null });
  if (values.status === 'queued') Object.assign(values, { status: 'failed', error: WITHDRAWN });
}
