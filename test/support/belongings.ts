import type { Api } from './api';
import { furnishDirectory } from './belongings-directory';
import { apiChannel } from './channels';
import { webchat } from './webchat';
import { make, makeTicket, makeUser } from './cast';
import { bodyOf } from './isolation';
import { allOperations } from './operations';
import type { Sql } from './sql';
import { PIXEL, uploaded } from './uploads';

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
  const attachments = await uploaded(api, PIXEL, `${mark}.png`, 'image/png');
  const comment = { body: mark, attachment_ids: [attachments.id] };
  const comments = (await api.post(`/tickets/${tickets.id}/comments`, comment)).expect(201).data;
  const rated = await makeTicket(api, { subject: `${mark} rated`, status: 'resolved' });
  (await api.post(`/tickets/${rated.id}/rate`, { score: 1, comment: mark })).expect(200);
  const related = { type: 'duplicates', linked_ticket_id: second.id };
  const links = (await api.post(`/tickets/${tickets.id}/links`, related)).expect(201).data;
  const follower = await makeUser(api);
  const followers = (await api.post(`/tickets/${tickets.id}/followers`, { user_id: follower.id })).expect(201).data;
  const closed = await makeTicket(api, { subject: `${mark} closed`, status: 'closed' });
  const escalated = await makeTicket(api, { subject: `${mark} escalated` });
  (await api.post(`/tickets/${escalated.id}/escalate`, { reason: mark })).expect(200);
  const automations = await make(api, '/automations', {
    ...name('automation'),
    description: mark,
    is_active: false,
    trigger: 'ticket.created',
    actions: [{ type: 'stop' }],
  });
  const macros = await make(api, '/macros', {
    ...name('macro'),
    description: mark,
    actions: [{ type: 'add_tags', tags: mark }],
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
  const field = { object: 'ticket', key: mark, label: `${mark} field`, type: 'text', external_id: mark };
  const fields = (await api.post('/custom-fields', field)).expect(201).data;
  const statuses = await make(api, '/ticket-statuses', { ...name('status'), status: 'on_hold', external_id: mark });
  const items = (await api.get(`/quotes/${quotes.id}/items`)).rows[0]?.id ?? 0;
  const [bulk] = await sql.rows<{ id: number }>(
    `INSERT INTO bulk_jobs (workspace_id, kind, status, macro_name) SELECT workspace_id, 'apply', 'completed', $2 FROM macros WHERE id = $1 RETURNING id`,
    [macros.id, mark],
  );
  const [model] = await sql.rows<{ id: number }>(
    `INSERT INTO ai_models (workspace_id, task, status, reason) SELECT workspace_id, 'category', 'failed', $2 FROM tickets WHERE id = $1 RETURNING id`,
    [tickets.id, mark],
  );
  const [prediction] = await sql.rows<{ id: number }>(
    `INSERT INTO ai_predictions (workspace_id, ticket_id, task, value, label, confidence, method, input_hash)
     SELECT workspace_id, id, 'priority', 'low', $2, 0.5, 'none', $2 FROM tickets WHERE id = $1 RETURNING id`,
    [rated.id, mark],
  );
  const [call] = await sql.rows<{ id: number }>(
    `INSERT INTO ai_calls (workspace_id, provider, model, attempts, latency_ms, tokens_in, tokens_out, prompt_hash, redactions)
     SELECT workspace_id, 'openai_compatible', $2, 1, 1, 1, 1, $2, 0 FROM macros WHERE id = $1 RETURNING id`,
    [macros.id, mark],
  );
  const conversation = (await api.post('/ai-engine/conversations', { message: `${mark} question` })).expect(201).data;
  const [archive] = await sql.rows<{ id: number }>(
    `INSERT INTO exports (workspace_id, status, external_id, completed_at, expires_at)
     SELECT workspace_id, 'completed', $2, now(), now() + interval '7 days' FROM macros WHERE id = $1 RETURNING id`,
    [macros.id, mark],
  );
  const template = { kind: 'ticket_received', language: 'nl', subject: mark, body: mark, external_id: mark };
  const templates = (await api.post('/mail-templates', template)).expect(201).data;
  const [erasure] = await sql.rows<{ id: number }>(
    `INSERT INTO erasures (workspace_id, contact_id, status, external_id) SELECT workspace_id, id, 'completed', $2 FROM contacts WHERE id = $1 RETURNING id`,
    [contacts.id, mark],
  );
  const directory = await furnishDirectory(api, sql, mark);
  const channels = await make(api, '/teams/channels', { ...name('channel'), type: 'internal', topic: mark });
  const outside = await apiChannel(api, null, { ...name('outside'), auto_create_ticket: false });
  const chat = await webchat(api, {}, name('chat'));
  const said = (await api.post('/teams/messages', { channel_id: channels.id, body: `${mark} said` })).expect(201).data;
  const migrations = (await api.post('/migration/jobs', { ...name('migration'), source: 'api' })).expect(201).data;
  const pushed = { entity: 'tickets', records: [{ id: mark, subject: `${mark} pushed` }] };
  (await api.post(`/migration/jobs/${migrations.id}/records`, pushed)).expect(200);
  const [pushedRecord] = (await api.get(`/migration/jobs/${migrations.id}/records`)).rows;
  const [run] = await sql.rows<{ id: number }>(
    `INSERT INTO retention_runs (workspace_id, rule, days, status, external_id) SELECT workspace_id, 'tickets', 1, 'completed', $2 FROM contacts WHERE id = $1 RETURNING id`,
    [contacts.id, mark],
  );
  const known = {
    ...directory,
    users: users.id,
    'retention-runs': run?.id ?? 0,
    retention_runs: run?.id ?? 0,
    erasures: erasure?.id ?? 0,
    teams: teams.id,
    companies: companies.id,
    contacts: contacts.id,
    categories: categories.id,
    tickets: tickets.id,
    second: second.id,
    comments: comments.id,
    attachments: attachments.id,
    links: links.id,
    followers: followers.id,
    closed_tickets: closed.id,
    escalated_tickets: escalated.id,
    automations: automations.id,
    'mail-templates': templates.id,
    mail_templates: templates.id,
    macros: macros.id,
    'bulk-jobs': bulk?.id ?? 0,
    bulk_jobs: bulk?.id ?? 0,
    exports: archive?.id ?? 0,
    jobs: migrations.id,
    migration_jobs: migrations.id,
    records: pushedRecord?.id ?? 0,
    migration_records: pushedRecord?.id ?? 0,
    webhooks: webhooks.id,
    deliveries: deliveries?.id ?? 0,
    integrations: integrations.id,
    logs: logs?.id ?? 0,
    assets: assets.id,
    'custom-fields': fields.id,
    'ticket-statuses': statuses.id,
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
    channels: channels.id,
    outside_channels: outside.id,
    web_chats: chat.id,
    threads: Number(said.thread_id),
    channel_threads: Number(said.thread_id),
    messages: said.id,
    channel_messages: said.id,
    models: model?.id ?? 0,
    ai_models: model?.id ?? 0,
    predictions: prediction?.id ?? 0,
    ai_predictions: prediction?.id ?? 0,
    conversations: conversation.id,
    calls: call?.id ?? 0,
    ai_conversations: conversation.id,
  };
  return { ...known, ...(await furnishRest(api, mark, known)) };
}

/** A record of each further kind that a POST makes: those of areas that came later, and of plug-ins. */
async function furnishRest(api: Api, mark: string, known: Belongings): Promise<Belongings> {
  const made: Record<string, number> = {};
  for (const operation of await allOperations()) {
    const { method, path, body } = operation;
    const kind = path.slice(1);
    if (method !== 'POST' || !body || kind.includes('/') || Object.hasOwn(known, kind)) continue;
    const sample = Object.entries(bodyOf(operation, { ...known, ...made }) ?? {}).map(([name, value]) => {
      const { type, format, enum: values } = body.properties?.[name] ?? {};
      return [name, type === 'string' && format === undefined && values === undefined ? `${mark} ${name}` : value];
    });
    const answer = await api.post(path, Object.fromEntries(sample) as object);
    if (answer.status === 201) made[kind] = answer.data.id;
  }
  return made;
}
