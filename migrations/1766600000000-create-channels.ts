import type { MigrationInterface, QueryRunner } from 'typeorm';
import { filterIndex, reference, resourceColumns, resourceIndexes, sortIndex } from './support/v1/resource-table';
import { confine } from './support/v1/row-level-security';
import { nullableSortIndexes } from './support/v2/nullable-sort-indexes';
import { searchableByWords } from './support/v2/search-by-words';

/** Channels, the conversations in them, what was said, and who is who at the other end. */
export class CreateChannels1766600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [channels, threads, messages, marks, identities, files]) await runner.query(sql);
    for (const table of TABLES) await runner.query(confine(table));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM work WHERE kind IN ('channel_message', 'channel_reply');
      DROP INDEX attachments_unattached;
      ALTER TABLE attachments DROP CONSTRAINT ck_attachments_ticket_id, DROP COLUMN message_id,
        ADD CONSTRAINT ck_attachments_ticket_id CHECK (num_nonnulls(ticket_id, article_id, quote_id) <= 1);
      CREATE INDEX attachments_unattached ON attachments (created_at)
        WHERE ticket_id IS NULL AND article_id IS NULL AND quote_id IS NULL;
      DROP VIEW channel_messages_search, channels_search;
      DROP TABLE channel_identities, channel_reactions, channel_reads, channel_messages, channel_threads, channels;
    `);
  }
}

const TABLES = [
  'channels',
  'channel_threads',
  'channel_messages',
  'channel_reads',
  'channel_reactions',
  'channel_identities',
];

const TYPES = `('internal', 'webchat', 'email', 'whatsapp', 'sms', 'telegram', 'slack', 'ms_teams', 'facebook', 'instagram', 'api')`;

const channels = `
  CREATE TABLE channels (
    type text NOT NULL CONSTRAINT ck_channels_type CHECK (type IN ${TYPES}),
    name text NOT NULL,
    topic text,
    direction text NOT NULL DEFAULT 'both' CONSTRAINT ck_channels_direction CHECK (direction IN ('inbound', 'outbound', 'both')),
    status text NOT NULL DEFAULT 'active' CONSTRAINT ck_channels_status CHECK (status IN ('active', 'paused', 'error', 'archived')),
    address text,
    team_id bigint,
    config jsonb NOT NULL DEFAULT '{}',
    sealed text,
    is_private boolean NOT NULL DEFAULT false,
    member_ids bigint[] NOT NULL DEFAULT '{}',
    auto_create_ticket boolean NOT NULL DEFAULT true,
    default_priority text CONSTRAINT ck_channels_default_priority CHECK (default_priority IN ('low', 'medium', 'high', 'urgent')),
    default_category_id bigint,
    schedule_id bigint,
    auto_reply jsonb,
    last_error jsonb,
    ${resourceColumns}
  );
  ${resourceIndexes('channels')}
  ${sortIndex('channels', 'name')}
  ${['type', 'status', 'is_private'].map((name) => filterIndex('channels', name)).join('\n')}
  ${filterIndex('channels', 'team_id', { partial: true })}
  ${reference('channels', 'team_id', 'teams')}
  ${reference('channels', 'default_category_id', 'categories')}
  ${reference('channels', 'schedule_id', 'schedules')}
  ${searchableByWords('channels', `name || ' ' || coalesce(topic, '') || ' ' || coalesce(address, '')`)}
`;

/** conversation: what the other side calls it. message_count is also the position of the last message. */
const threads = `
  CREATE TABLE channel_threads (
    channel_id bigint NOT NULL,
    contact_id bigint,
    ticket_id bigint,
    assigned_to bigint,
    subject text,
    status text NOT NULL DEFAULT 'open' CONSTRAINT ck_channel_threads_status CHECK (status IN ('open', 'closed')),
    peer_address text,
    peer_name text,
    message_count integer NOT NULL DEFAULT 0,
    unread_count integer NOT NULL DEFAULT 0,
    last_message_at timestamptz(3),
    last_inbound_at timestamptz(3),
    conversation text,
    read_position integer NOT NULL DEFAULT 0,
    auto_replied_at timestamptz(3),
    ${resourceColumns}
  );
  ${resourceIndexes('channel_threads')}
  CREATE UNIQUE INDEX uq_channel_threads_conversation ON channel_threads (workspace_id, channel_id, conversation)
    WHERE conversation IS NOT NULL;
  ${['channel_id', 'status'].map((name) => filterIndex('channel_threads', name)).join('\n')}
  ${['contact_id', 'ticket_id', 'assigned_to'].map((name) => filterIndex('channel_threads', name, { partial: true })).join('\n')}
  ${nullableSortIndexes('channel_threads', 'last_message_at', 'timestamptz')}
  ${reference('channel_threads', 'channel_id', 'channels', 'cascade')}
  ${reference('channel_threads', 'contact_id', 'contacts')}
  ${reference('channel_threads', 'ticket_id', 'tickets')}
  ${reference('channel_threads', 'assigned_to', 'users')}
`;

const messages = `
  CREATE TABLE channel_messages (
    channel_id bigint NOT NULL,
    thread_id bigint NOT NULL,
    reply_to_id bigint,
    contact_id bigint,
    direction text NOT NULL CONSTRAINT ck_channel_messages_direction CHECK (direction IN ('inbound', 'outbound', 'internal')),
    message_type text NOT NULL DEFAULT 'text' CONSTRAINT ck_channel_messages_message_type
      CHECK (message_type IN ('text', 'image', 'file', 'audio', 'video', 'location', 'template', 'event')),
    body text NOT NULL,
    attachments jsonb NOT NULL DEFAULT '[]',
    author_type text NOT NULL CONSTRAINT ck_channel_messages_author_type CHECK (author_type IN ('agent', 'contact', 'bot', 'system')),
    author_id bigint,
    author_name text,
    mentioned_ids bigint[] NOT NULL DEFAULT '{}',
    status text NOT NULL CONSTRAINT ck_channel_messages_status
      CHECK (status IN ('received', 'queued', 'sent', 'delivered', 'read', 'failed')),
    error jsonb,
    external_message_id text,
    position integer NOT NULL,
    comment_id bigint,
    sent_at timestamptz(3),
    delivered_at timestamptz(3),
    read_at timestamptz(3),
    edited_at timestamptz(3),
    deleted_at timestamptz(3),
    attempts integer NOT NULL DEFAULT 0,
    ${resourceColumns}
  );
  ${resourceIndexes('channel_messages')}
  CREATE UNIQUE INDEX uq_channel_messages_external_message_id ON channel_messages (workspace_id, channel_id, external_message_id)
    WHERE external_message_id IS NOT NULL;
  CREATE UNIQUE INDEX uq_channel_messages_position ON channel_messages (workspace_id, thread_id, position);
  CREATE UNIQUE INDEX uq_channel_messages_comment_id ON channel_messages (workspace_id, comment_id) WHERE comment_id IS NOT NULL;
  CREATE INDEX channel_messages_queued ON channel_messages (workspace_id, thread_id, position) WHERE status = 'queued';
  ${['channel_id', 'thread_id', 'direction', 'status', 'author_type'].map((name) => filterIndex('channel_messages', name)).join('\n')}
  ${['contact_id', 'external_message_id', 'reply_to_id'].map((name) => filterIndex('channel_messages', name, { partial: true })).join('\n')}
  ${reference('channel_messages', 'channel_id', 'channels', 'cascade')}
  ${reference('channel_messages', 'thread_id', 'channel_threads', 'cascade')}
  ${reference('channel_messages', 'reply_to_id', 'channel_messages')}
  ${reference('channel_messages', 'contact_id', 'contacts')}
  ${reference('channel_messages', 'comment_id', 'ticket_comments')}
  ${searchableByWords('channel_messages', 'body')}
`;

/** Of users one row for a conversation, however much they read. Who reacts is a user, or somebody outside by their address. */
const marks = `
  CREATE TABLE channel_reads (
    workspace_id bigint NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    thread_id bigint NOT NULL,
    user_id bigint NOT NULL,
    position integer NOT NULL,
    read_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, thread_id, user_id)
  );
  ${reference('channel_reads', 'thread_id', 'channel_threads', 'cascade')}
  ${reference('channel_reads', 'user_id', 'users', 'cascade')}
  CREATE INDEX channel_reads_by_user ON channel_reads (workspace_id, user_id);
  CREATE TABLE channel_reactions (
    workspace_id bigint NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    message_id bigint NOT NULL,
    emoji text NOT NULL,
    who text NOT NULL,
    user_id bigint,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, message_id, emoji, who)
  );
  ${reference('channel_reactions', 'message_id', 'channel_messages', 'cascade')}
  ${reference('channel_reactions', 'user_id', 'users', 'cascade')}
  CREATE INDEX channel_reactions_by_user ON channel_reactions (workspace_id, user_id) WHERE user_id IS NOT NULL;
`;

/** Which contact somebody without an e-mail address is. */
const identities = `
  CREATE TABLE channel_identities (
    workspace_id bigint NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    kind text NOT NULL,
    address text NOT NULL,
    contact_id bigint NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, kind, address)
  );
  CREATE INDEX channel_identities_by_contact ON channel_identities (workspace_id, contact_id, kind);
  ${reference('channel_identities', 'contact_id', 'contacts', 'cascade')}
`;

const files = `
  ALTER TABLE attachments ADD COLUMN message_id bigint;
  ALTER TABLE attachments DROP CONSTRAINT ck_attachments_ticket_id,
    ADD CONSTRAINT ck_attachments_ticket_id CHECK (num_nonnulls(ticket_id, article_id, quote_id, message_id) <= 1);
  DROP INDEX attachments_unattached;
  CREATE INDEX attachments_unattached ON attachments (created_at)
    WHERE ticket_id IS NULL AND article_id IS NULL AND quote_id IS NULL AND message_id IS NULL;
  ${filterIndex('attachments', 'message_id', { partial: true })}
  ${reference('attachments', 'message_id', 'channel_messages', 'cascade')}
`;
