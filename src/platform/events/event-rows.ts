import { v7 as uuidv7 } from 'uuid';
import { current } from '../context/current';

/** From and to of each changed field. */
export type Changes = Record<string, { from: unknown; to: unknown }>;

/** One event to be written for a change. */
export interface EventDraft {
  type: string;
  changes: Changes | null;
}

/** Other records that belong to an event, e.g. the comment of `ticket.comment_added`. */
export type Related = Record<string, unknown>;

/**
 * SQL (an INSERT for a WITH list) that writes the event rows of one logical change, in the transaction of the change.
 * `source` is a CTE with the columns `id` and `body` (the record as JSON). All rows share one sequence id.
 *
 * @param bind adds a parameter and returns its placeholder; `$1` must be the workspace
 */
export function eventInsert(
  object: string,
  source: string,
  drafts: readonly EventDraft[],
  bind: (value: unknown) => string,
  related: Related | null = null,
): string {
  const { actor, causation, requestId } = current();
  const ids = drafts.map(() => compactId());
  // The sequence shares the id of its first event: ids cost randomness, and the prefix tells them apart.
  const sequence = `seq_${ids[0] ?? compactId()}`;
  const rows = drafts.map((draft, index) => ({ uid: `evt_${ids[index] ?? ''}`, position: index + 1, ...draft }));
  const root = causation.rootEventId ?? rows[0]?.uid ?? null;
  const cause = { root_event_id: root, depth: causation.depth, request_id: requestId };
  return (
    `INSERT INTO events (workspace_id, uid, type, object, object_id, sequence_id, position, actor, causation, changes, data, related) ` +
    `SELECT $1, v.uid, v.type, ${bind(object)}, r.id, ${bind(sequence)}, v.position, ${bind(JSON.stringify(actor))}::json, ` +
    `${bind(JSON.stringify(cause))}::json, v.changes, r.body, ${bind(related ? JSON.stringify(related) : null)}::json ` +
    `FROM ${source} r, json_to_recordset(${bind(JSON.stringify(rows))}::json) AS v(uid text, type text, position integer, changes json)`
  );
}

/**
 * The same for a change of many records at once: every record of `source` gets its own event rows, ids and sequence.
 */
export function eventInsertPerRecord(
  object: string,
  source: string,
  drafts: readonly EventDraft[],
  bind: (value: unknown) => string,
): string {
  const { actor, causation, requestId } = current();
  const rows = drafts.map((draft, index) => ({ position: index + 1, ...draft }));
  const id = (prefix: string): string => `'${prefix}_' || replace(gen_random_uuid()::text, '-', '')`;
  return (
    `INSERT INTO events (workspace_id, uid, type, object, object_id, sequence_id, position, actor, causation, changes, data) ` +
    `SELECT $1, n.uid, n.type, ${bind(object)}, n.id, n.sequence, n.position, ${bind(JSON.stringify(actor))}::json, ` +
    `json_build_object('root_event_id', coalesce(${bind(causation.rootEventId)}::text, first_value(n.uid) OVER (PARTITION BY n.id ORDER BY n.position)), ` +
    `'depth', ${bind(causation.depth)}::integer, 'request_id', ${bind(requestId)}::text), n.changes, n.body ` +
    `FROM (SELECT q.id, q.body, q.sequence, v.type, v.position, v.changes, ${id('evt')} AS uid ` +
    `FROM (SELECT r.id, r.body, ${id('seq')} AS sequence FROM ${source} r OFFSET 0) q, ` +
    `json_to_recordset(${bind(JSON.stringify(rows))}::json) AS v(type text, position integer, changes json) OFFSET 0) n ` +
    `ORDER BY n.id, n.position`
  );
}

function compactId(): string {
  return uuidv7().replaceAll('-', '');
}
