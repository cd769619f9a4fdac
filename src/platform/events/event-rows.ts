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
  const sequence = `seq_${compactId()}`;
  const rows = drafts.map((draft, index) => ({ uid: `evt_${compactId()}`, position: index + 1, ...draft }));
  const root = causation.rootEventId ?? rows[0]?.uid ?? null;
  const cause = { root_event_id: root, depth: causation.depth, request_id: requestId };
  return (
    `INSERT INTO events (workspace_id, uid, type, object, object_id, sequence_id, position, actor, causation, changes, data, related) ` +
    `SELECT $1, v.uid, v.type, ${bind(object)}, r.id, ${bind(sequence)}, v.position, ${bind(JSON.stringify(actor))}::jsonb, ` +
    `${bind(JSON.stringify(cause))}::jsonb, v.changes, r.body, ${bind(related ? JSON.stringify(related) : null)}::jsonb ` +
    `FROM ${source} r, jsonb_to_recordset(${bind(JSON.stringify(rows))}::jsonb) AS v(uid text, type text, position integer, changes jsonb)`
  );
}

function compactId(): string {
  return uuidv7().replaceAll('-', '');
}
