'use strict';

/**
 * What one area may know of another, besides itself; each line has its reason in docs/decisions.md. Everything else crosses
 * areas by resource name or by event name. Read by `.dependency-cruiser.cjs` (imports) and by `sql-walls.mjs` (SQL).
 */

/** Which area may import which. Another area's tables stay out of its SQL all the same: it asks through what it imports. */
const areaImports = {
  kb: ['attachments'],
  tickets: ['attachments', 'sla', 'categories', 'contacts', 'teams', 'users'],
  contacts: ['companies'],
  automations: ['tickets', 'sla', 'meetings', 'users'],
  integrations: ['attachments', 'tickets', 'contacts', 'teams', 'users'],
  assets: ['tickets', 'contacts', 'users'],
  channels: ['attachments', 'contacts', 'integrations', 'schedules', 'tickets', 'users'],
  crm: ['companies', 'contacts', 'users'],
  exports: ['attachments'],
  quotes: ['attachments', 'crm', 'companies', 'contacts', 'users'],
  meetings: ['users', 'contacts', 'integrations'],
  meta: ['sla'],
  migration: ['attachments', 'integrations'],
  sla: ['schedules'],
  teams: ['users'],
  workspace: ['attachments'],
  macros: ['automations', 'tickets', 'sla', 'users', 'views'],
  reports: ['sla'],
  responses: ['users'],
  views: ['users'],
  'ai-engine': ['channels', 'tickets', 'contacts', 'schedules'],
  privacy: ['contacts', 'tickets', 'users', 'workspace'],
  'active-directory': ['attachments', 'contacts', 'integrations', 'teams', 'users'],
};

/**
 * Whose tables an area may read in statements of its own, where a question per owner would be a round trip or a scan more on a
 * measured path. Nobody writes tables of others.
 */
const areaReads = {
  automations: ['tickets', 'users'],
  channels: ['tickets'],
  integrations: ['tickets'],
  meta: ['tickets', 'sla'],
  reports: ['tickets', 'sla', 'meta', 'teams', 'users', 'categories', 'companies'],
  search: ['kb'],
  sla: ['tickets', 'companies', 'categories'],
  teams: ['tickets', 'users'],
  privacy: ['tickets'],
  'ai-engine': ['tickets', 'categories', 'teams', 'users', 'kb', 'channels', 'responses'],
};

/**
 * Owners of tables that neither an entity nor a resource declares: an area, or `platform`. Views belong with their tables.
 */
const tableOwners = {
  platform: [
    'erased_records',
    'event_outbox',
    'events',
    'idempotency_keys',
    'mail_bounces',
    'outgoing_mail_recipients',
    'outgoing_mails',
    'platform_facts',
    'quota_usage',
    'resource_tallies',
    'resource_tally_deltas',
    'sandboxes',
    'settled_events',
    'work',
    'workspace_logos',
    'workspaces',
  ],
  'active-directory': ['directory_members', 'directory_parts', 'directory_photos', 'scim_members', 'scim_resources'],
  attachments: ['attachment_usage', 'attachment_waste'],
  'ai-engine': ['ai_model_parts'],
  automations: ['automation_effects', 'automation_once', 'automation_passes'],
  channels: ['channel_identities', 'channel_reactions', 'channel_reads'],
  exports: ['export_parts'],
  integrations: ['integration_deliveries', 'integration_states'],
  kb: ['kb_article_fields_search', 'kb_article_texts', 'kb_words'],
  macros: ['bulk_job_items'],
  migration: ['migration_files'],
  meetings: ['meeting_hosts', 'meeting_reminders'],
  meta: ['ticket_duration_tallies', 'ticket_durations', 'ticket_stat_days', 'ticket_stat_deltas', 'ticket_stat_months'],
  search: ['search_progress', 'search_words'],
  sla: ['sla_clocks', 'sla_escalations', 'sla_history'],
  // Turns keep the names that nodes of earlier releases know them by.
  tickets: [
    'automation_reservations',
    'automation_turns',
    'ticket_common_words',
    'ticket_handovers',
    'ticket_incident_runs',
    'ticket_links',
    'ticket_unfolded',
    'ticket_word_bits',
    'ticket_word_folds',
    'ticket_word_spans',
    'ticket_rank_bounds',
    'ticket_asked_phrases',
  ],
};

/** What several parts of the program write, by agreement: the mailer and the mailboxes keep one book of message ids. */
const sharedTables = { mail_messages: ['platform', 'integrations'] };

/**
 * Files that may name any table: the command works on the database itself, for operators, across areas and workspaces; its bulk
 * data goes in by COPY, as if it had been there for years (test/system/seed.spec.ts compares it with what requests make).
 */
const exempt = /^src\/cli\//;

module.exports = { areaImports, areaReads, tableOwners, sharedTables, exempt };
