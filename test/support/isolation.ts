import type { Api } from './api';
import { make, makeTicket, makeUser } from './cast';
import { type Operation, requiredSample } from './operations';
import type { Sql } from './sql';

/** A text that only the other workspace has; nothing that is answered may contain it. */
export const CANARY = 'zzcanaryzz';

/** One record of each kind, by the name of its resource. */
export type Belongings = Readonly<Record<string, number>>;

/** Fills a workspace with a record of each kind, full of `mark`. */
export async function furnish(api: Api, sql: Sql, mark: string): Promise<Belongings> {
  const name = (text: string): { name: string } => ({ name: `${mark} ${text}` });
  const users = await makeUser(api, { ...name('user'), email: `${mark}@${mark}.example`, title: mark, skills: [mark] });
  const teams = await make(api, '/teams', { ...name('team'), description: mark, lead_user_id: users.id });
  const companies = await make(api, '/companies', { ...name('company'), domains: [`${mark}.example`], tags: mark });
  const contacts = await make(api, '/contacts', { ...name('contact'), email: `${mark}@people.example`, tags: mark });
  const categories = await make(api, '/categories', { ...name('category'), description: mark });
  const references = { company_id: companies.id, category_id: categories.id, team_id: teams.id, assigned_to: users.id };
  const tickets = await makeTicket(api, {
    subject: `${mark} ticket`,
    description: mark,
    tags: mark,
    requester_email: `${mark}@people.example`,
    external_id: mark,
    ...references,
  });
  const second = await makeTicket(api, { subject: `${mark} second` });
  const comments = (await api.post(`/tickets/${tickets.id}/comments`, { body: mark })).expect(201).data;
  const rated = await makeTicket(api, { subject: `${mark} rated`, status: 'resolved' });
  (await api.post(`/tickets/${rated.id}/rate`, { score: 1, comment: mark })).expect(200);
  const automations = await make(api, '/automations', {
    ...name('automation'),
    description: mark,
    is_active: false,
    trigger: 'ticket.created',
    actions: [{ type: 'stop' }],
  });
  const endpoint = {
    url: `http://127.0.0.1:9/${mark}`,
    description: mark,
    events: ['quota.warning'],
    is_active: false,
    external_id: mark,
  };
  const webhooks = (await api.post('/webhooks', endpoint)).expect(201).data;
  const [deliveries] = await sql.rows<{ id: number }>(
    `INSERT INTO webhook_deliveries (workspace_id, webhook_id, event_row, event_id, event, status, response_body)
     SELECT workspace_id, id, 0, $2, 'quota.warning', 'failed', $2 FROM webhooks WHERE id = $1 RETURNING id`,
    [webhooks.id, mark],
  );
  const integrations = await make(api, '/integrations', {
    ...name('integration'),
    provider: 'webhook',
    config: { url: `http://127.0.0.1:9/${mark}`, secret: `secret-of-24-characters-${mark}` },
    status: 'disabled',
    events: ['quota.warning'],
    external_id: mark,
  });
  const [logs] = await sql.rows<{ id: number }>(
    `INSERT INTO integration_logs (workspace_id, integration_id, direction, event, status, request_body)
     SELECT workspace_id, id, 'outbound', 'quota.warning', 'failed', $2 FROM integrations WHERE id = $1 RETURNING id`,
    [integrations.id, mark],
  );
  const assets = await make(api, '/assets', {
    ...name('asset'),
    serial_number: mark,
    notes: mark,
    tags: mark,
    external_id: mark,
  });
  const [entry] = await sql.rows<{ id: number }>(
    `INSERT INTO audit_logs (workspace_id, id, event_id, event, events, action, resource, resource_id, resource_name, actor, actor_type, causation, created_at)
     SELECT workspace_id, id, uid, type, ARRAY[type], 'created', object, object_id, $2, actor, 'token', causation, created_at
     FROM events WHERE object = 'ticket' AND object_id = $1 AND position = 1
     ON CONFLICT (workspace_id, id) DO UPDATE SET resource_name = excluded.resource_name RETURNING id`,
    [second.id, mark],
  );
  const minutes = { first_response_minutes: 1, resolution_minutes: 2 };
  const policy = await make(api, '/sla', {
    ...name('policy'),
    description: mark,
    is_active: false,
    targets: { urgent: minutes, high: minutes, medium: minutes, low: minutes },
    external_id: mark,
  });
  const pipelines = await make(api, '/crm/pipelines', { ...name('pipeline'), description: mark, external_id: mark });
  const stages = await make(api, '/crm/stages', { ...name('stage'), pipeline_id: pipelines.id, external_id: mark });
  const leads = await make(api, '/crm/leads', {
    ...name('lead'),
    email: `${mark}@people.example`,
    notes: mark,
    tags: mark,
    external_id: mark,
  });
  const deal = { title: `${mark} deal`, stage_id: stages.id, lead_id: leads.id, notes: mark, tags: mark };
  const deals = (await api.post('/crm/deals', { ...deal, external_id: mark })).expect(201).data;
  const quote = {
    title: `${mark} quote`,
    currency: 'EUR',
    notes: mark,
    external_id: mark,
    items: [{ name: mark, description: mark, unit_price: 1 }],
  };
  const quotes = (await api.post('/quotes', quote)).expect(201).data;
  const shelf = await make(api, '/kb/categories', { ...name('shelf'), description: mark, external_id: mark });
  const article = {
    title: `${mark} article`,
    body: mark,
    tags: mark,
    keywords: mark,
    category_id: shelf.id,
    author_id: users.id,
    source_ticket_id: tickets.id,
    external_id: mark,
  };
  const articles = (await api.post('/kb/articles', article)).expect(201).data;
  (await api.post(`/kb/articles/${articles.id}/feedback`, { helpful: false, comment: mark })).expect(201);
  // Versions are numbered in each article: that of the other workspace has one more than ours.
  if (mark === CANARY) (await api.patch(`/kb/articles/${articles.id}`, { body: `${mark} again` })).expect(200);
  const versions = (await api.get(`/kb/articles/${articles.id}/versions`)).meta.total as number;
  const type = { ...name('type'), description: mark, duration_minutes: 30, host_ids: [users.id], external_id: mark };
  const types = (await api.post('/meetings/types', type)).expect(201).data;
  const meeting = {
    title: `${mark} meeting`,
    description: mark,
    starts_at: '2031-05-05T09:00:00Z',
    host_id: users.id,
    attendees: [{ email: `${mark}@people.example`, name: mark }],
    location: mark,
    external_id: mark,
  };
  const meetings = (await api.post('/meetings', meeting)).expect(201).data;
  const items = (await api.get(`/quotes/${quotes.id}/items`)).rows[0]?.id ?? 0;
  return {
    users: users.id,
    teams: teams.id,
    companies: companies.id,
    contacts: contacts.id,
    categories: categories.id,
    tickets: tickets.id,
    second: second.id,
    comments: comments.id,
    automations: automations.id,
    webhooks: webhooks.id,
    deliveries: deliveries?.id ?? 0,
    integrations: integrations.id,
    logs: logs?.id ?? 0,
    assets: assets.id,
    'audit-logs': entry?.id ?? 0,
    sla: policy.id,
    sla_policies: policy.id,
    pipelines: pipelines.id,
    stages: stages.id,
    leads: leads.id,
    deals: deals.id,
    quotes: quotes.id,
    items,
    kb_categories: shelf.id,
    articles: articles.id,
    versions,
    types: types.id,
    meeting_types: types.id,
    meetings: meetings.id,
  };
}

const kinds: Readonly<Record<string, string | null>> = {
  assigned_to: 'users',
  author_id: 'users',
  agent_id: 'users',
  user_id: 'users',
  to_user_id: 'users',
  lead_user_id: 'users',
  manager_id: 'users',
  account_manager_id: 'users',
  default_assignee_id: 'users',
  escalate_to_user_id: 'users',
  company_id: 'companies',
  company_ids: 'companies',
  contact_id: 'contacts',
  category_id: 'categories',
  team_id: 'teams',
  team_ids: 'teams',
  to_team_id: 'teams',
  default_team_id: 'teams',
  escalate_to_team_id: 'teams',
  sla_policy_id: 'sla_policies',
  parent_id: 'own',
  assigned_contact_id: 'contacts',
  managed_by: 'users',
  asset_id: 'assets',
  asset_ids: 'assets',
  into_id: 'tickets',
  automation_id: 'automations',
  ticket_id: 'tickets',
  object_id: 'tickets',
  resource_id: 'tickets',
  actor_id: 'users',
  owner_id: 'users',
  pipeline_id: 'pipelines',
  stage_id: 'stages',
  lead_id: 'leads',
  stage_ids: 'stages',
  from_stage_id: 'stages',
  to_stage_id: 'stages',
  move_to_pipeline: 'pipelines',
  move_deals_to: 'stages',
  deal_id: 'deals',
  quote_id: 'quotes',
  converted_deal_id: 'deals',
  source_ticket_id: 'tickets',
  integration_id: 'integrations',
  translation_of_id: 'articles',
  article_id: 'articles',
  editor_id: 'users',
  host_id: 'users',
  host_ids: 'users',
  cancelled_by: 'users',
  type_id: 'meeting_types',
  ids: 'own',
  reassign_to: 'own',
  // Names no record, or none that there can be yet.
  tax_id: null,
  delivery_id: null,
  request_id: null,
  event_id: null,
  token_id: null,
};

/** Which kind of record a parameter or member names; undefined when it names none. Fails for a name it does not know. */
export function kindOf(name: string, path: string, isReference: boolean): string | null | undefined {
  const kind = name === 'category_id' && path.startsWith('/kb/') ? 'kb_categories' : kinds[name];
  // Events are named by texts that cannot be guessed; their own spec looks at those of others.
  if (kind === 'own') return path.startsWith('/events') ? null : ownKind(path);
  if (kind !== undefined) return kind;
  if (isReference || (name.endsWith('_id') && name !== 'external_id')) {
    throw new Error(`Tell test/support/isolation.ts which kind of record "${name}" of ${path} names.`);
  }
  return undefined;
}

/** The records that a list of this path shows: areas of several resources have them in the second place. */
function ownKind(path: string): string | undefined {
  const [, first = '', second] = path.split('/');
  if (path.startsWith('/kb/categories')) return 'kb_categories';
  if (path.startsWith('/meetings/types')) return 'meeting_types';
  return ['crm', 'kb'].includes(first) ? second : first;
}

/** Members without which a body is refused although none of them alone is required. */
const companions: Readonly<Record<string, object>> = { 'POST /crm/leads': { phone: '+1 202 555 0142' } };

/** The body that an operation needs, naming only records of our own. */
export function bodyOf(operation: Operation, own: Belongings): Record<string, unknown> | undefined {
  if (!operation.body) return undefined;
  const body = { ...requiredSample(operation.body), ...companions[`${operation.method} ${operation.path}`] };
  for (const name of Object.keys(body)) {
    const kind = kindOf(name, operation.path, false);
    const id = name === 'into_id' ? own.second : own[kind ?? ''];
    if (kind) body[name] = operation.body.properties?.[name]?.items ? [id] : id;
  }
  return body;
}

/** The kinds of record in the slots of a path: `/tickets/{id}/comments/{cid}` has tickets and comments. */
export function slotKinds(path: string): string[] {
  const parts = path.split('/');
  const kindAt = (index: number): string =>
    path.startsWith('/kb/categories') ? 'kb_categories' : (parts[index] ?? '');
  return parts.flatMap((part, index) => (part.startsWith('{') ? [kindAt(index - 1)] : []));
}

/** Moves ids far away from statuses, limits and other small numbers, and those of one kind from those of another. */
export async function raiseIds(sql: Sql): Promise<void> {
  for (const [index, table] of [
    'users',
    'teams',
    'companies',
    'contacts',
    'categories',
    'tickets',
    'ticket_comments',
    'ticket_ratings',
    'automations',
    'webhooks',
    'webhook_deliveries',
    'integrations',
    'integration_logs',
    'sla_policies',
    'assets',
    'events',
    'pipelines',
    'stages',
    'leads',
    'deals',
    'deal_stage_changes',
    'quotes',
    'quote_items',
    'quote_events',
    'kb_categories',
    'kb_articles',
    'kb_article_versions',
    'kb_article_feedback',
    'meeting_types',
    'meetings',
    'meeting_reminders',
  ].entries()) {
    await sql.rows(
      `SELECT setval(s.name, greatest(nextval(s.name), 7000000 + $2::bigint) + 1) FROM pg_get_serial_sequence($1, 'id') AS s (name)`,
      [table, index * 10_000],
    );
  }
}

/**
 * Digest of everything that a workspace has, table by table; but for what changes by itself: usage, the tallies that a
 * node folds, and the outbox and work that any node sees to.
 */
export async function checksums(sql: Sql, workspaceId: number): Promise<Record<string, unknown>> {
  const tables = await sql.rows<{ name: string }>(
    `SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND c.column_name = 'workspace_id' AND t.table_type = 'BASE TABLE'
       AND c.table_name NOT IN ('tokens', 'quota_usage', 'resource_tallies', 'resource_tally_deltas', 'event_outbox', 'work', 'search_words', 'search_progress') ORDER BY 1`,
  );
  const digests: Record<string, unknown> = {};
  for (const { name } of tables) {
    const [row] = await sql.rows(
      `SELECT count(*) AS n, md5(string_agg(t::text, '|' ORDER BY t::text)) AS digest FROM ${name} t WHERE workspace_id = $1`,
      [workspaceId],
    );
    digests[name] = row;
  }
  return digests;
}
