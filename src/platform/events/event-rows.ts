import { type Context, current } from '../context/current';
import { compactId } from '../text/fresh-id';
import { requireDeclared } from './event-catalogue';

/** From and to of each changed field. */
export type Changes = Record<string, { from: unknown; to: unknown }>;

/** One event to be written for a change. */
export interface EventDraft {
  type: string;
  changes: Changes | null;
  /** Its id without the prefix, where it has to be known before; made otherwise. */
  id?: string;
  /** Other records that belong to this event alone, beside those of the whole change. */
  related?: Related;
}

/** Other records that belong to an event, e.g. the comment of `ticket.comment_added`. */
export type Related = Record<string, unknown>;

/**
 * SQL (members of a WITH list) that writes the event rows of one logical change and enters them into the outbox, in the
 * transaction of the change. `source` is a CTE with the columns `id` and `body` (the record as JSON). All rows share one
 * sequence id.
 *
 * @param bind adds a parameter and returns its placeholder; `$1` must be the workspace
 * @param isQuiet they stand in the log, and nobody is told
 */
export function eventInsert(
  object: string,
  source: string,
  drafts: readonly EventDraft[],
  bind: (value: unknown) => string,
  related: Related | null = null,
  isQuiet = false,
): string {
  const { actor, causation, requestId, origin } = announcing();
  for (const { type } of drafts) requireDeclared(type);
  const ids = drafts.map(({ id }) => id ?? compactId());
  // The sequence shares the id of its first event: ids cost randomness, and the prefix tells them apart.
  const sequence = `seq_${ids[0] ?? compactId()}`;
  const rows = drafts.map(({ id: _id, ...draft }, index) => ({
    uid: eventUid(ids[index] ?? ''),
    position: index + 1,
    ...draft,
    ...(draft.related ? { related: { ...related, ...draft.related } } : {}),
  }));
  const root = causation.rootEventId ?? rows[0]?.uid ?? null;
  const { depth, automationIds } = causation;
  const cause = { root_event_id: root, depth, request_id: requestId, automation_ids: automationIds };
  return entered(
    `INSERT INTO events (workspace_id, uid, type, object, object_id, sequence_id, position, actor, causation, changes, data, related, origin) ` +
      `SELECT $1, v.uid, v.type, ${bind(object)}, r.id, ${bind(sequence)}, v.position, ${bind(JSON.stringify(actor))}::json, ` +
      `${bind(JSON.stringify(cause))}::json, v.changes, r.body, coalesce(v.related, ${bind(related ? JSON.stringify(related) : null)}::json), ${bind(origin)}::json ` +
      `FROM ${source} r, json_to_recordset(${bind(JSON.stringify(rows))}::json) AS v(uid text, type text, position integer, changes json, related json)`,
    isQuiet,
  );
}

/**
 * The same for a change of many records at once: every record of `source` gets its own event rows, ids and sequence. `source`
 * has the column `changes` besides: from and to of what changed, JSON.
 *
 * @param related what belongs to all of them
 */
export function eventInsertPerRecord(
  object: string,
  source: string,
  types: readonly string[],
  bind: (value: unknown) => string,
  related: Related | null = null,
): string {
  const { actor, causation, requestId, origin } = announcing();
  for (const type of types) requireDeclared(type);
  const rows = types.map((type, index) => ({ position: index + 1, type }));
  const id = (prefix: string): string => `'${prefix}_' || replace(gen_random_uuid()::text, '-', '')`;
  return entered(
    `INSERT INTO events (workspace_id, uid, type, object, object_id, sequence_id, position, actor, causation, changes, data, related, origin) ` +
      `SELECT $1, n.uid, n.type, ${bind(object)}, n.id, n.sequence, n.position, ${bind(JSON.stringify(actor))}::json, ` +
      `json_build_object('root_event_id', coalesce(${bind(causation.rootEventId)}::text, first_value(n.uid) OVER (PARTITION BY n.id ORDER BY n.position)), ` +
      `'depth', ${bind(causation.depth)}::integer, 'request_id', ${bind(requestId)}::text, 'automation_ids', ${bind(JSON.stringify(causation.automationIds))}::json), n.changes, n.body, ${bind(related ? JSON.stringify(related) : null)}::json, ${bind(origin)}::json ` +
      `FROM (SELECT q.id, q.body, q.changes, q.sequence, v.type, v.position, ${id('evt')} AS uid ` +
      `FROM (SELECT r.id, r.body, r.changes, ${id('seq')} AS sequence FROM ${source} r OFFSET 0) q, ` +
      `json_to_recordset(${bind(JSON.stringify(rows))}::json) AS v(type text, position integer) OFFSET 0) n ` +
      `ORDER BY n.id, n.position`,
  );
}

/** Events of one record among many, for `eventInsertOfEach`. */
export interface RecordDrafts {
  workspace_id: number;
  id: number;
  drafts: readonly EventDraft[];
}

/**
 * The same for a change of many records, of any workspaces, each with events of its own. `source` has the columns
 * `workspace_id`, `id` and `body`.
 */
export function eventInsertOfEach(
  object: string,
  source: string,
  records: readonly RecordDrafts[],
  bind: (value: unknown) => string,
): string {
  const { actor, causation, requestId, origin } = announcing();
  const rows = records.flatMap(({ workspace_id, id, drafts }) => {
    const uids = drafts.map(() => compactId());
    const sequence = `seq_${uids[0] ?? ''}`;
    const root_event_id = causation.rootEventId ?? `evt_${uids[0] ?? ''}`;
    const { depth, automationIds } = causation;
    const cause = { root_event_id, depth, request_id: requestId, automation_ids: automationIds };
    return drafts.map((draft, index) => {
      requireDeclared(draft.type);
      return { workspace_id, id, uid: `evt_${uids[index] ?? ''}`, sequence, position: index + 1, cause, ...draft };
    });
  });
  const placed = rows.map((row, place) => ({ place, ...row }));
  return entered(
    `INSERT INTO events (workspace_id, uid, type, object, object_id, sequence_id, position, actor, causation, changes, data, related, origin) ` +
      `SELECT v.workspace_id, v.uid, v.type, ${bind(object)}, v.id, v.sequence, v.position, ${bind(JSON.stringify(actor))}::json, ` +
      `v.cause, v.changes, r.body, v.related, ${bind(origin)}::json FROM json_to_recordset(${bind(JSON.stringify(placed))}::json) ` +
      `AS v(place integer, workspace_id bigint, id bigint, uid text, sequence text, type text, position integer, cause json, changes json, related json) ` +
      `JOIN ${source} r ON r.workspace_id = v.workspace_id AND r.id = v.id ORDER BY v.place`,
  );
}

function entered(insert: string, isQuiet = false): string {
  if (isQuiet) return `e AS (${insert})`;
  return (
    `e AS (${insert} RETURNING workspace_id, id), ` +
    `o AS (INSERT INTO event_outbox (workspace_id, event_id) SELECT workspace_id, id FROM e)`
  );
}

/** The context of the change; its unit of work will say, once committed, that there are events. */
function announcing(): Announcing {
  const context = current();
  if (context.transaction) context.transaction.announces = true;
  const { actor, causation, requestId } = context;
  return { actor, causation, requestId, origin: originOf(context) };
}

interface Announcing extends Pick<Context, 'actor' | 'causation' | 'requestId'> {
  /** JSON text for the audit log alone: webhooks are not told where a request came from. */
  origin: string | null;
}

/** Token and address behind a change; null when it was no request. */
function originOf({ access, clientAddress }: Context): string | null {
  if (!access && clientAddress === null) return null;
  return JSON.stringify({ token_id: access?.token.id ?? null, ip: clientAddress });
}

/** The public id of an event. @param id a `compactId` */
export const eventUid = (id: string): string => `evt_${id}`;
