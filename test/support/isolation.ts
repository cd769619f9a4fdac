import { ResourceEntity } from '../../src/platform/resource/resource-entity';
import { installed } from './areas';
import type { Belongings } from './belongings';
import { DERIVED } from './counted-rows';
import { type Operation, requiredSample } from './operations';
import type { Sql } from './sql';

const kinds: Readonly<Record<string, string | null>> = {
  assigned_to: 'users',
  author_id: 'users',
  agent_id: 'users',
  user_id: 'users',
  to_user_id: 'users',
  lead_user_id: 'users',
  manager_id: 'users',
  role_id: 'roles',
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
  linked_ticket_id: 'tickets',
  followed_by: 'users',
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
  attachment_id: 'attachments',
  attachment_ids: 'attachments',
  custom_status_id: 'ticket-statuses',
  comment_id: 'comments',
  ids: 'own',
  reassign_to: 'own',
  group_id: 'directory_groups',
  nested_group_id: 'directory_groups',
  // Names no record, or none that there can be yet.
  tax_id: null,
  delivery_id: null,
  request_id: null,
  event_id: null,
  external_message_id: null,
  token_id: null,
  local_id: null,
  // Places in a list.
  before_id: null,
  after_id: null,
};

/** Which kind of record a parameter or member names; undefined when it names none. Fails for a name it does not know. */
export function kindOf(name: string, path: string, isReference: boolean): string | null | undefined {
  const kind = name === 'category_id' && path.startsWith('/kb/') ? 'kb_categories' : kinds[name];
  // Events are named by texts that cannot be guessed; their own spec looks at those of others.
  if (kind === 'own') return path.startsWith('/events') ? null : ownKind(path);
  if (kind !== undefined) return kind;
  const target = declaredTarget(name);
  if (target !== undefined) return target;
  if (isReference || (name.endsWith('_id') && name !== 'external_id')) {
    throw new Error(`Tell test/support/isolation.ts which kind of record "${name}" of ${path} names.`);
  }
  return undefined;
}

/** What a reference of that name leads to, in a resource that is not listed above. */
function declaredTarget(name: string): string | undefined {
  const named = installed.resources.flatMap(({ column }) => column.get(name) ?? []);
  return named.find(({ references }) => references !== undefined)?.references;
}

/** The records that a list of this path shows: areas of several resources have them in the second place. */
function ownKind(path: string): string | undefined {
  const [, first = '', second] = path.split('/');
  if (path.startsWith('/kb/categories')) return 'kb_categories';
  if (path.startsWith('/meetings/types')) return 'meeting_types';
  if (first === 'active-directory') return directoryKind(path.split('/').at(-1) ?? '');
  if (/^\/teams\/[a-z]/.test(path)) return path.includes('/messages') ? 'messages' : second;
  return ['crm', 'kb', 'ai-engine', 'migration'].includes(first) ? second : first;
}

/** What the lists of a directory are called by their paths. */
function directoryKind(part: string): string {
  return `directory_${part === 'members' ? 'users' : part}`;
}

/** Members without which a body is refused although none of them alone is required. */
const companions: Readonly<Record<string, object>> = {
  'POST /crm/leads': { phone: '+1 202 555 0142' },
  'POST /tickets/bulk': { actions: [{ type: 'stop' }] },
  'POST /tickets/{id}/assign': { user_id: 1 },
  'POST /tickets/{id}/followers': { user_id: 1 },
};

/** Operations that are for records in some state alone. */
const states: Readonly<Record<string, string>> = {
  'follow-up': 'closed_tickets',
  deescalate: 'escalated_tickets',
  inbound: 'outside_channels',
  'inbound-address': 'outside_channels',
  widget: 'web_chats',
};

/** The body that an operation needs, naming only records of our own. */
export function bodyOf(operation: Operation, own: Belongings): Record<string, unknown> | undefined {
  if (!operation.body) return undefined;
  const body = { ...requiredSample(operation.body), ...companions[`${operation.method} ${operation.path}`] };
  for (const name of Object.keys(body)) {
    const kind = kindOf(name, operation.path, false);
    const id = ['into_id', 'linked_ticket_id'].includes(name) ? own.second : own[kind ?? ''];
    if (kind) body[name] = operation.body.properties?.[name]?.items ? [id] : id;
  }
  return body;
}

/** The kinds of record in the slots of a path: `/tickets/{id}/comments/{cid}` has tickets and comments. */
export function slotKinds(path: string): string[] {
  const parts = path.replace(/\/$/, '').split('/');
  const state = states[parts.at(-1) ?? ''];
  if (state !== undefined) return [state];
  const kindAt = (index: number): string => {
    if (path.startsWith('/active-directory/')) return directoryKind(parts[index] ?? '');
    if (parts[index + 1] === '{user_id}') return 'users';
    return path.startsWith('/kb/categories') ? 'kb_categories' : (parts[index] ?? '');
  };
  return parts.flatMap((part, index) => (part.startsWith('{') ? [kindAt(index - 1)] : []));
}

/** Moves ids far away from statuses, limits and other small numbers, and those of one kind from those of another. */
export async function raiseIds(sql: Sql): Promise<void> {
  const listed = [
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
  ];
  const tables = installed.resources
    .filter(({ entity }) => entity.prototype instanceof ResourceEntity)
    .map(({ table }) => table);
  for (const [index, table] of [...new Set([...listed, ...tables])].entries()) {
    await sql.rows(
      `SELECT setval(s.name, greatest(nextval(s.name), 7000000 + $2::bigint) + 1) FROM pg_get_serial_sequence($1, 'id') AS s (name)`,
      [table, index * 10_000],
    );
  }
}

/** Digest of everything that a workspace has, table by table; but for what changes by itself: the use of tokens, and what is derived. */
export async function checksums(sql: Sql, workspaceId: number): Promise<Record<string, unknown>> {
  const tables = await sql.rows<{ name: string }>(
    `SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND c.column_name = 'workspace_id' AND t.table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const digests: Record<string, unknown> = {};
  for (const { name } of tables) {
    if (name === 'tokens' || DERIVED.test(name)) continue;
    const [row] = await sql.rows(
      `SELECT count(*) AS n, md5(string_agg(t::text, '|' ORDER BY t::text)) AS digest FROM ${name} t WHERE workspace_id = $1`,
      [workspaceId],
    );
    digests[name] = row;
  }
  return digests;
}
