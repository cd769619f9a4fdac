import { CreateTicket, UpdateTicket } from '../../src/areas/tickets/ticket.dto';
import { ticketResource } from '../../src/areas/tickets/ticket.resource';
import type { Fields } from '../support/api';
import { describeResource } from '../support/describe-resource';

const at = (row: Fields, name: string): string => (row[name] ?? '') as string;

describeResource({
  resource: ticketResource,
  path: () => '/tickets',
  bodies: { create: CreateTicket, update: UpdateTicket },
  prepare: async (api) => ({
    user: (await api.post('/users', { name: 'Eve', email: 'eve@example.com' })).expect(201).data.id,
    other: (await api.post('/users', { name: 'Max', email: 'max@example.com' })).expect(201).data.id,
    team: (await api.post('/teams', { name: 'First line' })).expect(201).data.id,
    company: (await api.post('/companies', { name: 'Acme' })).expect(201).data.id,
    category: (await api.post('/categories', { name: 'Billing' })).expect(201).data.id,
  }),
  create: (serial, made) => ({
    subject: `Printer ${serial % 5} jams`,
    description: `  Number **${serial}** \n`,
    status: ['open', 'in_progress', 'on_hold', 'resolved', 'closed'][serial % 5],
    priority: ['low', 'medium', 'high', 'urgent'][serial % 4],
    channel: serial % 2 ? 'email' : 'portal',
    type: serial % 3 ? 'incident' : 'task',
    requester_email: serial % 2 ? `ada${serial % 3}@example.com` : null,
    requester_name: serial % 2 ? 'Ada' : null,
    company_id: serial % 2 ? made.company : null,
    category_id: serial % 3 ? made.category : null,
    assigned_to: [made.user, made.other, null][serial % 3],
    team_id: serial % 4 ? made.team : null,
    tags: serial % 2 ? ['Printer', 'floor-3'] : 'vip, printer',
    ...(serial % 5 === 2 ? { on_hold_reason: 'customer', on_hold_until: '2036-01-01T08:00:00+02:00' } : {}),
    required_skills: serial % 2 ? ['VPN', 'billing'] : [],
    cc_emails: ['boss@example.com'],
  }),
  update: (serial, made) => ({
    subject: `Renamed ${serial}`,
    description: 'Other',
    priority: 'urgent',
    type: 'problem',
    requester_email: 'grace@example.com',
    requester_name: 'Grace',
    company_id: made.company,
    category_id: made.category,
    assigned_to: made.other,
    team_id: made.team,
    tags: 'a,b',
    required_skills: ['networking'],
    cc_emails: ['a@example.com', 'b@example.com'],
    custom_fields: { a: serial },
  }),
  required: ['subject'],
  invalid: {
    subject: ['', '   ', 7, null, 'x'.repeat(256), ['x']],
    description: [7, null, 'x'.repeat(65_537)],
    status: ['new', '', 7, null],
    priority: ['top', 7, null],
    type: ['bug', null],
    requester_email: ['x', 7, 'a@b', ''],
    assigned_to: ['x', 0, -1, 1.5, true],
    parent_id: ['x', 0, -1, 1.5, true],
    tags: [7, ['a,b'], ['x'.repeat(51)], Array.from({ length: 51 }, (_, index) => `t${index}`)],
    on_hold_reason: ['bored', 7],
    on_hold_until: ['tomorrow', '2036-01-01', 7, '2036-02-30T00:00:00Z'],
    required_skills: [
      'vpn',
      [''],
      [7],
      ['x', 'X'],
      ['x'.repeat(51)],
      Array.from({ length: 21 }, (_, index) => `s${index}`),
    ],
    asset_ids: [[7], 'x', ['x']],
    cc_emails: [['x'], 'a@example.com', Array.from({ length: 21 }, (_, index) => `a${index}@example.com`)],
  },
  arrange: (sql, workspaceId) =>
    sql.rows(
      `WITH followed AS (
         INSERT INTO ticket_followers (workspace_id, ticket_id, user_id)
         SELECT $1, id, (SELECT min(id) FROM users WHERE workspace_id = $1) FROM tickets WHERE workspace_id = $1 AND id % 2 = 0)
       UPDATE tickets SET asset_ids = ARRAY[7, id], parent_id = (SELECT min(id) FROM tickets WHERE workspace_id = $1),
         escalation_level = id % 4, csat_score = 1 + id % 5, sla_status = 'at_risk',
         last_requester_comment_at = CASE WHEN id % 2 = 0 THEN now() - id * interval '1 minute' END
       WHERE workspace_id = $1 AND id % 3 > 0`,
      [workspaceId],
    ),
  filters: (all, made) => {
    const middle = (name: string): string => {
      const set = all.map((row) => at(row, name)).filter((text) => text !== '');
      return set.sort()[Math.floor((set.length - 1) / 2)] ?? '';
    };
    const tagged = (row: Fields): string[] => at(row, 'tags').split(',');
    return {
      asset_id: { text: '7,1', test: (row) => (row.asset_ids as number[]).includes(7) },
      required_skill: { text: 'VPN,zzz', test: (row) => (row.required_skills as string[]).includes('vpn') },
      followed_by: { text: String(made.user), test: (row) => row.id % 2 === 0 },
      has_parent: { text: 'false', test: (row) => row.parent_id === null },
      tags: { text: 'VIP,zzz', test: (row) => tagged(row).includes('vip') },
      tags_all: { text: 'printer,floor-3', test: (row) => tagged(row).includes('floor-3') },
      sla_due_after: { text: middle('sla_due_at'), test: (row) => at(row, 'sla_due_at') > middle('sla_due_at') },
      sla_due_before: {
        text: middle('sla_due_at'),
        test: (row) => row.sla_due_at !== null && at(row, 'sla_due_at') < middle('sla_due_at'),
      },
      resolved_after: { text: middle('resolved_at'), test: (row) => at(row, 'resolved_at') > middle('resolved_at') },
      resolved_before: {
        text: middle('resolved_at'),
        test: (row) => row.resolved_at !== null && at(row, 'resolved_at') < middle('resolved_at'),
      },
    };
  },
});
