import { isRecord } from '../text/json';
import { type About, ERASED, type Instead, type PersonalRow } from './personal';

/** What the event with a public id is about. @param uid SQL */
export const eventByUid = (uid: string): About => aboutEvent(`e.uid = ${uid}`);

/** The same by the number of its row. @param id SQL */
export const eventById = (id: string): About => aboutEvent(`e.id = ${id}`);

function aboutEvent(condition: string): About {
  const column = (name: string): string =>
    `(SELECT e.${name} FROM events e WHERE e.workspace_id = r.workspace_id AND ${condition})`;
  return { object: column('object'), id: column('object_id') };
}

/** A rule for rows that say who acted: whoever came by a link, or by mail, has no name any more, in what is about the person. */
export function visitor({ values, about }: PersonalRow): void {
  if (!about[0] || !isRecord(values.actor) || values.actor.type !== 'requester') return;
  values.actor = { ...values.actor, name: ERASED };
}

/**
 * A rule for copies of records: members that the record itself loses are lost in `data`, and on both sides of `changes`; members of
 * related records in `related`; the actor's name.
 *
 * @param object kind of the record
 */
export function recordCopy(row: PersonalRow, object: string): void {
  const { values, about, members, losses } = row;
  visitor(row);
  if (about[0]) {
    values.data = without(values.data, losses(object));
    values.changes = changesWithout(values.changes, losses(object));
  }
  if (!isRecord(values.related)) return;
  const related = Object.entries(values.related).map(([name, member]) => {
    const beside = about[0] ? losses(`${object}.${name}`) : {};
    const own = members.includes(name) ? { ...losses(name), previous_body: ERASED } : {};
    return [name, without(member, { ...beside, ...own })];
  });
  values.related = Object.fromEntries(related);
}

/** The record with other values where it has any; null stays null. */
function without(record: unknown, losses: Readonly<Record<string, Instead>>): unknown {
  if (!isRecord(record)) return record;
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, lost(value, losses, name)]));
}

function changesWithout(changes: unknown, losses: Readonly<Record<string, Instead>>): unknown {
  if (!isRecord(changes)) return changes;
  const sides = (name: string, change: unknown): unknown =>
    isRecord(change) ? { ...change, from: lost(change.from, losses, name), to: lost(change.to, losses, name) } : change;
  return Object.fromEntries(Object.entries(changes).map(([name, change]) => [name, sides(name, change)]));
}

function lost(value: unknown, losses: Readonly<Record<string, Instead>>, name: string): unknown {
  const instead = losses[name];
  return value === null || instead === undefined ? value : instead;
}
