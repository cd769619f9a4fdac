import { current } from '../../../platform/context/current';
import type { Beside } from '../../../platform/resource/beside';
import type { HistoryAction } from '../asset-status';

type Bind = (value: unknown) => string;

/** The changed fields as they were, and as they are since. */
export interface Sides {
  from: Record<string, unknown>;
  to: Record<string, unknown>;
}

/** SQL that writes an entry of the history for each asset of `t`. @param at its moment, in SQL */
export function entryInsert(
  bind: Bind,
  action: HistoryAction,
  { from, to }: Sides,
  note: string | null,
  at = 'now()',
): string {
  const json = (value: object): string => `${bind(JSON.stringify(value))}::jsonb`;
  return (
    `INSERT INTO asset_history (workspace_id, asset_id, action, "from", "to", note, actor, created_at) ` +
    `SELECT $1, t.id, ${bind(action)}, ${json(from)}, ${json(to)}, ${bind(note)}::text, ${json(current().actor)}, ${at} FROM t`
  );
}

/** The entries of what assets undergo because of another record: one that they name goes, or another takes its place. */
export const besideMany: Beside = (changes) => {
  const sides: Sides = { from: {}, to: {} };
  for (const [name, { from, to }] of Object.entries(changes)) {
    sides.from[name] = from;
    sides.to[name] = to;
  }
  const holder = ['assigned_to', 'assigned_contact_id'].find((name) => Object.hasOwn(changes, name));
  const taken = holder !== undefined && sides.to[holder] === null ? 'unassigned' : 'assigned';
  return (bind) => `remembered AS (${entryInsert(bind, holder === undefined ? 'updated' : taken, sides, null)})`;
};
