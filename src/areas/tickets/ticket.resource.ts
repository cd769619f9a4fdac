import { momentFilter, presenceFilter } from '../../platform/query/filters';
import { defineResource } from '../../platform/resource/resource';
import { slaRelation } from '../sla/sla-expand';
import { assetsRelation } from './ticket-assets';
import { codeFilter } from './ticket-code';
import { assetFilter, followedByFilter, requiredSkillFilter, tagFilter } from './ticket-filters';
import { byPlaceOfStatus } from './statuses/status-order';
import { ticketWords } from './ticket-words';
import { Ticket } from './ticket.entity';

/** Few tickets have these when they are created, and every index of them is written then: one each. */
const nullableMoment = <Column extends string>(
  column: Column,
): { column: Column; type: 'timestamptz'; nullable: true; indexes: 'one' } => ({
  column,
  type: 'timestamptz',
  nullable: true,
  indexes: 'one',
});

export const ticketResource = defineResource(Ticket, {
  name: 'tickets',
  singular: 'ticket',
  table: 'tickets',
  sort: {
    code: { column: 'number', type: 'bigint', unique: true },
    subject: { column: 'subject', type: 'text' },
    status: { column: 'status_rank', type: 'integer' },
    priority: { column: 'priority_rank', type: 'integer' },
    sla_due_at: nullableMoment('sla_due_at'),
    next_sla_due_at: nullableMoment('next_sla_due_at'),
    resolved_at: nullableMoment('resolved_at'),
    escalation_level: { column: 'escalation_level', type: 'integer' },
    last_requester_comment_at: nullableMoment('last_requester_comment_at'),
    custom_status_id: byPlaceOfStatus,
  },
  filter: [
    'status',
    'custom_status_id',
    'priority',
    'assigned_to',
    'company_id',
    'category_id',
    'team_id',
    'channel',
    'type',
    'requester_email',
    'contact_id',
    'sla_status',
    'escalation_level',
    'csat_score',
    'parent_id',
    'followup_of_id',
    'merged_into_id',
  ],
  where: {
    code: codeFilter,
    tags: tagFilter('any'),
    tags_all: tagFilter('all'),
    asset_id: assetFilter,
    required_skill: requiredSkillFilter,
    has_parent: presenceFilter('parent_id'),
    followed_by: followedByFilter,
    sla_due_after: momentFilter('sla_due_at', '>'),
    sla_due_before: momentFilter('sla_due_at', '<'),
    resolved_after: momentFilter('resolved_at', '>'),
    resolved_before: momentFilter('resolved_at', '<'),
  },
  search: {
    view: 'tickets_search',
    over: ['subject', 'code', 'description', 'texts of custom_fields'],
    texts: { view: 'ticket_texts_search', sortedBy: 'created_at', bits: ticketWords },
  },
  counters: ['status', 'priority', 'assigned_to'],
  lacking: ['company_id', 'category_id', 'team_id', 'contact_id', 'requester_email'],
  sight: {
    rows: ({ reach }, ticket) => {
      if (reach === 'all') return null;
      const own = `${ticket}.assigned_to = {me}`;
      return reach === 'teams' ? `(${own} OR ${ticket}.team_id = ANY({teams}))` : own;
    },
    told: ({ reach, userId, teamIds }) => [
      { column: 'assigned_to', values: [userId] },
      ...(reach === 'teams' ? [{ column: 'team_id' as const, values: teamIds }] : []),
    ],
  },
  expand: {
    company: { one: 'companies', by: 'company_id' },
    category: { one: 'categories', by: 'category_id' },
    assignee: { one: 'users', by: 'assigned_to' },
    contact: { one: 'contacts', by: 'contact_id' },
    team: { one: 'teams', by: 'team_id' },
    custom_status: { one: 'ticket_statuses', by: 'custom_status_id' },
    sla: slaRelation,
    assets: assetsRelation,
    attachments: {
      many: 'attachments',
      by: 'ticket_id',
      limit: 100,
      order: 'created_at',
      where: (alias) => `${alias}.comment_id IS NULL`,
    },
    parent: { one: 'tickets', by: 'parent_id' },
    followup_of: { one: 'tickets', by: 'followup_of_id' },
    merged_into: { one: 'tickets', by: 'merged_into_id' },
    links: { many: 'ticket_links', by: 'ticket_id', limit: 100, order: 'created_at' },
    comments: {
      many: 'ticket_comments',
      by: 'ticket_id',
      limit: 100,
      order: 'created_at',
      counted: 'comment_count',
    },
  },
  notice: { path: '/tickets', title: ['code', 'subject'] },
  fields: 'tickets_fields',
});
