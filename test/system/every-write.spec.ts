import { allResources } from '../../src/platform/resource/resource';
import type { Api } from '../support/api';
import { useApp } from '../support/app';
import { type Belongings, furnish } from '../support/belongings';
import { make } from '../support/cast';
import { bodyOf, slotKinds } from '../support/isolation';
import { migrationRequests } from '../support/migration-requests';
import { allOperations, fillPath, type Operation } from '../support/operations';
import { targets } from '../support/sla';
import { wholeDays } from '../support/holidays';
import { QUIET } from '../support/quiet-columns';
import { useSql } from '../support/sql';
import { active } from '../support/webhooks';
import { until } from '../support/until';
import { drained } from '../support/jobs';
import { dealt, SEVERAL, WORLDS } from '../support/worlds';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

/** Records whose changes are told by the record they belong to. */
const PARTS: Readonly<Record<string, { of: string; by: string }>> = {
  ticket_comments: { of: 'ticket', by: 'ticket_id' },
  attachments: { of: 'ticket', by: 'ticket_id' },
  ...{ channel_messages: { of: 'channel_thread', by: 'thread_id' } },
  quote_items: { of: 'quote', by: 'quote_id' },
  kb_article_feedback: { of: 'kb_article', by: 'article_id' },
};

const OF_CONNECTION = { with: 'directory_connection', by: 'connection_id', learning: [] };
/** Records that go when the one goes that they are about, and learn its end in some columns; it is the one that tells of both. */
const GOING_ALONG: Readonly<Record<string, { with: string; by: string; learning: readonly string[] }>> = {
  ai_predictions: { with: 'ticket', by: 'ticket_id', learning: ['actual_value', 'was_correct'] },
  ...{ directory_users: OF_CONNECTION, directory_groups: OF_CONNECTION, directory_runs: OF_CONNECTION },
};

/** Records whose answers show others, which have a version of their own: the whole is new when one of them is. */
const EMBEDDING: readonly string[] = ['pipelines'];

type Asked = Readonly<Partial<Record<'query', string> & Record<'body', object>>>;
/** What is asked for, where that is more than the least that the schema asks for; may bring the records into a state first. */
const REQUESTS: Readonly<Record<string, (own: Belongings, api: Api) => Promise<Asked> | Asked>> = {
  'PATCH /tickets/{id}/comments/{cid}': () => ({ body: { body: 'changed' } }),
  'PATCH /quotes/{id}/items/{item_id}': () => ({ body: { name: 'changed' } }),
  'POST /tickets/{id}/comments/{cid}/redact': () => ({ body: { text: 'a' } }),
  'POST /contacts/{id}/merge': async (_own, api) => ({ body: { into_id: (await make(api, '/contacts')).id } }),
  'POST /tickets/{id}/assign': () => ({ body: { user_id: null } }),
  'POST /tickets/{id}/links': (own) => ({ body: { type: 'blocks', linked_ticket_id: own.second } }),
  'POST /tickets/{id}/rate': async (own, api) => {
    await api.patch(`/tickets/${own.tickets}`, { status: 'resolved' });
    return { body: { score: 4 } };
  },
  'POST /tickets/{id}/reopen': async (own, api) => {
    await api.patch(`/tickets/${own.tickets}`, { status: 'resolved' });
    return {};
  },
  'POST /tickets/batch': (own) => ({
    body: {
      operations: [
        { op: 'update', id: own.tickets, data: { priority: 'high' } },
        { op: 'delete', id: own.second },
      ],
    },
  }),
  'POST /tickets/bulk': (own) => ({ body: { ids: [own.tickets], actions: [{ type: 'add_tags', tags: 'x' }] } }),
  'POST /assets/{id}/checkout': (own) => ({ body: { user_id: own.users } }),
  'POST /assets/{id}/checkin': async (own, api) => {
    (await api.post(`/assets/${own.assets}/checkout`, { user_id: own.users })).expect(200);
    return {};
  },
  'POST /ai-engine/predictions': (own) => ({ body: { ticket_id: own.tickets, task: 'language' } }),
  'POST /ai-engine/predict': (own) => ({ body: { ticket_id: own.tickets } }),
  'POST /ai-engine/predictions/{id}/review': () => ({ body: { status: 'accepted' } }),
  'POST /ai-engine/conversations/{id}/feedback': () => ({ body: { score: 4 } }),
  'POST /automations/test': (own) => ({ body: { automation_id: own.automations, ticket_id: own.tickets } }),
  'DELETE /categories/{id}': async (_own, api) => ({
    query: `reassign_to=${(await make(api, '/categories')).id}`,
  }),
  // Who has meetings ahead goes with nobody in particular to take them.
  'DELETE /users/{id}': () => ({ query: 'reassign_to=team' }),
  'DELETE /kb/categories/{id}': async (_own, api) => ({
    query: `reassign_to=${(await make(api, '/kb/categories')).id}`,
  }),
  'DELETE /crm/pipelines/{id}': async (_own, api) => ({
    query: `move_to_pipeline=${(await make(api, '/crm/pipelines')).id}`,
  }),
  'DELETE /crm/stages/{id}': async (own, api) => ({
    query: `move_deals_to=${(await make(api, '/crm/stages', { pipeline_id: own.pipelines })).id}`,
  }),
  // Another name than that of `POST /crm/stages`, which the same workspace may have been dealt.
  'POST /crm/pipelines/{id}/stages': () => ({ body: { name: 'Stage of its pipeline' } }),
  'POST /crm/pipelines/{id}/stages/reorder': async (own, api) => {
    const { data } = (await api.get(`/crm/pipelines/${own.pipelines}`)).expect(200);
    const ids = (data.stages as { id: number }[]).map(({ id }) => id);
    return { body: { stage_ids: ids.toReversed() } };
  },
  'POST /teams/channels/{id}/inbound': () => ({ body: { external_message_id: 'w', from: { handle: 'w' }, body: 'x' } }),
  'POST /teams/messages': (own) => ({ body: { channel_id: own.channels, body: 'x' } }),
  'POST /sla': () => ({ body: { name: 'Policy', targets: targets(10, 20) } }),
  'POST /schedules/{id}/holidays/import': () => ({ body: { ical: wholeDays(['20300101', 'New Year']) } }),
  'POST /integrations': () => ({
    body: { provider: 'webhook', config: { url: 'http://127.0.0.1:9/x', secret: 'secret-of-24-characters-x' } },
  }),
  'POST /exports/{id}/link': (own) => setIn(`UPDATE exports SET status = 'completed' WHERE id = $1`, own.exports),
  'POST /meetings': (own) => ({
    body: { title: 'x', starts_at: '2031-06-05T09:00:00Z', duration_minutes: 30, host_id: own.users },
  }),
  'POST /meetings/{id}/complete': (own) => started(own),
  'POST /meetings/{id}/no-show': (own) => started(own),
  'POST /meetings/{id}/reject': (own) => setIn(`UPDATE meetings SET status = 'pending' WHERE id = $1`, own.meetings),
  'POST /quotes/{id}/revise': async (own, api) => {
    (await api.patch(`/quotes/${own.quotes}`, { recipient_email: 'ada@people.example' })).expect(200);
    (await api.post(`/quotes/${own.quotes}/status`, { status: 'sent' })).expect(200);
    return {};
  },
  'POST /webhooks/{id}/deliveries/{did}/redeliver': (own, api) => active(own, api),
  'POST /webhooks/{id}/recover': (own, api) => active(own, api, { since: '2020-01-01T00:00:00Z' }),
  'POST /webhooks/{id}/replay': (own, api) => active(own, api, { since: '2020-01-01T00:00:00Z' }),
  'POST /active-directory/connections/{id}/token': (own) =>
    setIn(`UPDATE directory_connections SET type = 'scim' WHERE id = $1`, own.directory_connections),
  'POST /active-directory/sync/runs/{id}/approve': (own) => waiting(own),
  'POST /active-directory/sync/runs/{id}/cancel': (own) => waiting(own),
  'POST /quotes/{id}/status': () => ({ body: { status: 'cancelled' } }),
  ...migrationRequests(sql),
};

/** What is over is neither approved nor stopped. */
const waiting = (own: Belongings): Promise<Asked> =>
  setIn(`UPDATE directory_runs SET status = 'awaiting_approval' WHERE id = $1`, own.directory_runs);

async function setIn(text: string, id?: number): Promise<Asked> {
  await sql.rows(text, [id]);
  return {};
}

/** A meeting can only be over once it has begun. */
function started(own: Belongings): Promise<Asked> {
  const begun = `starts_at = now() - interval '1 hour', ends_at = now() - interval '30 minutes'`;
  return setIn(`UPDATE meetings SET ${begun} WHERE id = $1`, own.meetings);
}

/** What deletions need to be told, when something names the record. */
const QUERIES: Readonly<Record<string, string>> = { force: 'force=true', reassign_to: 'reassign_to=none' };

interface Stored {
  name: string;
  id: number;
  version: number;
  part: number | null;
  content: string;
}

interface Told {
  object: string;
  object_id: number;
  type: string;
}

let tables: { name: string; parts: string[] }[];
let digest: string;

beforeAll(async () => {
  tables = await sql.rows(
    `SELECT table_name AS name, array_agg(column_name::text) AS parts FROM information_schema.columns c
     JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' GROUP BY 1
     HAVING array_agg(column_name::text) @> ARRAY['workspace_id', 'id', 'version', 'updated_at']`,
  );
  digest = tables
    .map(({ name }) => {
      const left = [...(QUIET[name] ?? []), ...(GOING_ALONG[name]?.learning ?? [])];
      const out = ['version', 'updated_at', ...left].map((column) => ` - '${column}'`).join('');
      const part = PARTS[name]?.by ?? GOING_ALONG[name]?.by ?? 'NULL::bigint';
      return `SELECT '${name}' AS name, id, version, ${part} AS part, md5((to_jsonb(x)${out})::text) AS content FROM ${name} x WHERE workspace_id = $1`;
    })
    .join(' UNION ALL ');
});

async function stored({ id }: TestWorkspace): Promise<Map<string, Stored>> {
  const rows = await sql.rows<Stored>(digest, [id]);
  return new Map(rows.map((row) => [`${row.name} ${row.id}`, row]));
}

async function lastEvent({ id }: TestWorkspace): Promise<number> {
  const [row] = await sql.rows<{ last: number }>('SELECT max(id) AS last FROM events WHERE workspace_id = $1', [id]);
  return row?.last ?? 0;
}

function toldSince({ id }: TestWorkspace, last: number): Promise<Told[]> {
  return sql.rows<Told>(`SELECT object, object_id, type FROM events WHERE workspace_id = $1 AND id > $2`, [id, last]);
}

/** What is wrong about the changes of one operation: silent ones, and ones that count twice. */
function faults(
  name: string,
  before: ReadonlyMap<string, Stored>,
  after: ReadonlyMap<string, Stored>,
  told: readonly Told[],
): string[] {
  const found: string[] = [];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(key), after.get(key)];
    const row = is ?? was;
    if (!row || (was?.content === is?.content && was?.version === is?.version)) continue;
    const resource = allResources().find(({ table }) => table === row.name);
    const along = GOING_ALONG[row.name];
    const isAlong = !is || was?.content === is.content;
    if (along && isAlong && told.some((event) => event.object === along.with && event.object_id === row.part)) continue;
    const part = PARTS[row.name];
    const object = part ? part.of : resource?.singular;
    const id = part ? row.part : row.id;
    const types = told.filter((event) => event.object === object && event.object_id === id).map(({ type }) => type);
    if (types.length === 0 && name.endsWith('/erase') && was?.version !== is?.version) continue; // Decision 453.
    if (types.length === 0 && !(part && !is && !after.has(`${part.of}s ${id}`)))
      found.push(`${name}: ${key} in silence`);
    if (was && is && is.version !== was.version + 1 && !SEVERAL.includes(name))
      found.push(`${name}: ${key} from version ${was.version} to ${is.version}`);
    const hasParts = Object.values(PARTS).some(({ of }) => of === object);
    if (was && is && was.content === is.content && !hasParts && !EMBEDDING.includes(row.name))
      found.push(`${name}: ${key} has a version for nothing`);
  }
  return found;
}

async function requestOf(operation: Operation, own: Belongings, api: Api): Promise<{ path: string; body?: object }> {
  const { method, path, query, body } = operation;
  const slots = slotKinds(path).map((kind) => own[kind] ?? 0);
  const given = await REQUESTS[`${method} ${path}`]?.(own, api);
  const options = method === 'DELETE' ? query.flatMap((parameter) => QUERIES[parameter] ?? []) : [];
  const asked = given?.query ?? options.join('&');
  const filled = `${fillPath(path, slots)}${asked === '' ? '' : `?${asked}`}`;
  if (given?.body) return { path: filled, body: given.body };
  if (!body) return { path: filled };
  const changes = method === 'PATCH' && body.properties?.external_id ? { external_id: `changed ${filled}` } : {};
  return { path: filled, body: { ...bodyOf(operation, own), ...changes } };
}

let worlds: Operation[][];
const refused: string[] = [];

beforeAll(async () => {
  // What a file does is said by whoever takes it; an ordinary workspace refuses what is for sandboxes.
  const ours = (await allOperations()).filter(({ path }) => !path.startsWith('/sandbox/'));
  worlds = dealt(ours.filter(({ method, open, uploads }) => method !== 'GET' && !open && !uploads));
});

/** Runs the operations of one workspace; answers what is wrong about them. */
async function walk(workspace: TestWorkspace, world: number): Promise<string[]> {
  const wrong: string[] = [];
  const own = await furnish(workspace.api, sql, `walk${world}x`);
  let [last, before] = [0, new Map<string, Stored>()];
  for (const [index, operation] of (worlds[world] ?? []).entries()) {
    const name = `${operation.method} ${operation.path}`;
    const { path, body } = await requestOf(operation, own, workspace.api);
    // What was set going before must not count as the work of this one.
    if (index === 0 || REQUESTS[name]) {
      await drained(server, workspace);
      // Events first: one that comes in between is told twice rather than never.
      [last, before] = [await lastEvent(workspace), await stored(workspace)];
    }
    const answer = await workspace.api.send(operation.method, path, body ? { body } : {});
    // What follows in the background is looked at with it, however fast it is.
    await drained(server, workspace);
    if (answer.status >= 500) wrong.push(`${name}: ${answer.status}`);
    if (answer.status >= 400) refused.push(name);
    const [now, after] = [await lastEvent(workspace), await stored(workspace)];
    wrong.push(...faults(name, before, after, await toldSince(workspace, last)));
    [last, before] = [now, after];
  }
  return wrong;
}

it.each(WORLDS)(
  'every operation that writes makes one version, an event and an entry of the audit log of each record that it changes (%i)',
  async (world) => {
    const workspace = await makeWorkspace(server);
    expect(await walk(workspace, world)).toEqual([]);
    await until('every event was told', async () => {
      const left = await sql.rows(`SELECT FROM event_outbox WHERE workspace_id = $1`, [workspace.id]);
      return left.length === 0;
    });
    const unlogged = await sql.rows(
      `SELECT e.type, e.object_id FROM events e LEFT JOIN audit_logs a ON a.workspace_id = e.workspace_id AND a.id = e.id
       WHERE e.workspace_id = $1 AND e.position = 1 AND a.id IS NULL`,
      [workspace.id],
    );
    const [entries] = await sql.rows(
      `SELECT (SELECT count(*) FROM audit_logs WHERE workspace_id = $1) AS logged,
         (SELECT count(*) FROM events WHERE workspace_id = $1 AND position = 1) AS changes`,
      [workspace.id],
    );
    expect([unlogged, entries?.logged]).toEqual([[], entries?.changes]);
  },
);

it('followed every operation', () => {
  expect(refused).toEqual([]);
});
