import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  filterIndex,
  nullableTimeSortIndexes,
  reference,
  resourceColumns,
  resourceIndexes,
  searchableApart,
  sortIndex,
  tallied,
} from './support/v1/resource-table';
import { confine } from './support/v1/row-level-security';

/** Tickets and their comments. */
export class CreateTickets1763600600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tickets);
    await runner.query(indexes);
    await runner.query(comments);
    for (const table of ['tickets', 'ticket_texts', 'ticket_comments']) await runner.query(confine(table));
    await runner.query(links);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE ticket_comments;
      DROP VIEW tickets_search, ticket_texts_search;
      DROP TABLE ticket_texts;
      DROP TABLE tickets CASCADE;
      DROP FUNCTION tally_tickets_insert(), tally_tickets_delete(), tally_tickets_update(), ticket_texts_insert(), ticket_texts_update();
    `);
  }
}

/** The ranks make status and priority sort by meaning (decision 5). */
const tickets = `
  CREATE TABLE tickets (
    number bigint NOT NULL,
    code text NOT NULL,
    subject text NOT NULL,
    description text NOT NULL DEFAULT '',
    status text NOT NULL DEFAULT 'open' CONSTRAINT ck_tickets_status CHECK (status IN ('open', 'in_progress', 'on_hold', 'resolved', 'closed')),
    status_rank smallint NOT NULL GENERATED ALWAYS AS (CASE status WHEN 'open' THEN 1 WHEN 'in_progress' THEN 2 WHEN 'on_hold' THEN 3 WHEN 'resolved' THEN 4 ELSE 5 END) STORED,
    priority text NOT NULL DEFAULT 'medium' CONSTRAINT ck_tickets_priority CHECK (priority IN ('low', 'medium', 'high', 'urgent')),
    priority_rank smallint NOT NULL GENERATED ALWAYS AS (CASE priority WHEN 'low' THEN 1 WHEN 'medium' THEN 2 WHEN 'high' THEN 3 ELSE 4 END) STORED,
    channel text NOT NULL DEFAULT 'portal' CONSTRAINT ck_tickets_channel CHECK (channel IN ('portal', 'email', 'phone', 'chat', 'internal')),
    type text NOT NULL DEFAULT 'question' CONSTRAINT ck_tickets_type CHECK (type IN ('question', 'incident', 'problem', 'request', 'task')),
    requester_email text,
    requester_name text,
    contact_id bigint,
    company_id bigint,
    category_id bigint,
    assigned_to bigint,
    team_id bigint,
    tags text NOT NULL DEFAULT '',
    escalation_level integer NOT NULL DEFAULT 0 CONSTRAINT ck_tickets_escalation_level CHECK (escalation_level BETWEEN 0 AND 3),
    escalated_at timestamptz(3),
    last_escalation_reason text,
    escalations jsonb NOT NULL DEFAULT '[]',
    sla_policy_id bigint,
    sla_status text NOT NULL DEFAULT 'none' CONSTRAINT ck_tickets_sla_status CHECK (sla_status IN ('none', 'on_track', 'at_risk', 'breached', 'paused', 'met')),
    sla_due_at timestamptz(3),
    sla_paused_at timestamptz(3),
    sla_paused_seconds bigint NOT NULL DEFAULT 0,
    first_response_due_at timestamptz(3),
    first_response_at timestamptz(3),
    first_resolved_at timestamptz(3),
    resolved_at timestamptz(3),
    closed_at timestamptz(3),
    on_hold_reason text CONSTRAINT ck_tickets_on_hold_reason CHECK (on_hold_reason IN ('customer', 'third_party', 'internal')),
    on_hold_until timestamptz(3),
    reopened_count integer NOT NULL DEFAULT 0,
    reply_count integer NOT NULL DEFAULT 0,
    comment_count integer NOT NULL DEFAULT 0,
    last_requester_comment_at timestamptz(3),
    last_agent_comment_at timestamptz(3),
    csat_score integer CONSTRAINT ck_tickets_csat_score CHECK (csat_score BETWEEN 1 AND 5),
    csat_comment text,
    csat_at timestamptz(3),
    asset_ids bigint[] NOT NULL DEFAULT '{}',
    parent_id bigint,
    merged_into_id bigint,
    followup_of_id bigint,
    cc_emails text[] NOT NULL DEFAULT '{}',
    language text,
    sentiment text,
    ${resourceColumns}
  );
  ${searchableApart('tickets', 'ticket_texts', (row) => `${row}.subject || ' ' || ${row}.code || ' ' || ${row}.description`, ['subject', 'description'])}
  ${tallied('tickets', 'tickets', ['status', 'priority', 'assigned_to'], { tickets_by_category: ['category_id'], tickets_by_company: ['company_id', 'status'] })}
`;

const indexes = `
  ${resourceIndexes('tickets')}
  CREATE UNIQUE INDEX uq_tickets_number ON tickets (workspace_id, number);
  ${['status', 'priority', 'assigned_to', 'channel', 'type', 'sla_status'].map((name) => filterIndex('tickets', name)).join('\n')}
  ${['company_id', 'category_id', 'team_id', 'contact_id', 'requester_email', 'csat_score', 'parent_id', 'merged_into_id', 'followup_of_id', 'sla_policy_id'].map((name) => filterIndex('tickets', name, { partial: true })).join('\n')}
  ${['subject', 'status_rank', 'priority_rank', 'escalation_level'].map((name) => sortIndex('tickets', name)).join('\n')}
  ${['sla_due_at', 'resolved_at', 'last_requester_comment_at'].map((name) => nullableTimeSortIndexes('tickets', name)).join('\n')}
  CREATE INDEX tickets_by_tag ON tickets USING gin (workspace_id, string_to_array(tags, ',')) WHERE tags <> '';
  CREATE INDEX tickets_by_asset ON tickets USING gin (workspace_id, asset_ids) WHERE asset_ids <> '{}';
  CREATE INDEX tickets_to_wake ON tickets (on_hold_until) WHERE status = 'on_hold' AND on_hold_until IS NOT NULL;
  CREATE INDEX tickets_to_close ON tickets (workspace_id, resolved_at) WHERE status = 'resolved';
`;

const comments = `
  CREATE TABLE ticket_comments (
    ticket_id bigint NOT NULL,
    body text NOT NULL,
    is_internal boolean NOT NULL DEFAULT false,
    author_type text NOT NULL DEFAULT 'agent' CONSTRAINT ck_ticket_comments_author_type CHECK (author_type IN ('agent', 'requester', 'system', 'automation', 'ai')),
    author_id bigint,
    author_name text,
    author_email text,
    channel text NOT NULL CONSTRAINT ck_ticket_comments_channel CHECK (channel IN ('portal', 'email', 'phone', 'chat', 'internal')),
    attachments jsonb NOT NULL DEFAULT '[]',
    is_first_response boolean NOT NULL DEFAULT false,
    edited_at timestamptz(3),
    ${resourceColumns}
  );
  ${resourceIndexes('ticket_comments')}
  CREATE INDEX ticket_comments_by_ticket ON ticket_comments (workspace_id, ticket_id, created_at, id);
`;

const links = `
  ${reference('tickets', 'contact_id', 'contacts')}
  ${reference('tickets', 'company_id', 'companies')}
  ${reference('tickets', 'category_id', 'categories')}
  ${reference('tickets', 'assigned_to', 'users')}
  ${reference('tickets', 'team_id', 'teams')}
  ${reference('tickets', 'sla_policy_id', 'sla_policies')}
  ${reference('tickets', 'parent_id', 'tickets')}
  ${reference('tickets', 'merged_into_id', 'tickets')}
  ${reference('tickets', 'followup_of_id', 'tickets')}
  ${reference('ticket_comments', 'ticket_id', 'tickets', 'cascade')}
`;
