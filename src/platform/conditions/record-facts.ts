import type { Changes } from '../events/event-rows';
import type { Facts, FieldChange } from './condition';

/**
 * Facts of one record as GET shows it, and of what an event changed in it.
 *
 * @param object its name, if conditions may put that before its fields
 */
export function recordFacts(
  record: Readonly<Record<string, unknown>>,
  changes: Changes | null,
  now: Date,
  object = '',
): Facts {
  return {
    now,
    value: (field) => valueAt(record, ownName(field, object)),
    change: (field) => changeOf(changes, ownName(field, object)),
  };
}

/** The value at a path: `subject`, `custom_fields.region`, `address.country`. Own members only. */
export function valueAt(record: unknown, path: string): unknown {
  if (typeof record !== 'object' || record === null) return undefined;
  const members = record as Record<string, unknown>;
  if (Object.hasOwn(members, path)) return members[path];
  const dot = path.indexOf('.');
  const head = dot === -1 ? '' : path.slice(0, dot);
  return Object.hasOwn(members, head) ? valueAt(members[head], path.slice(dot + 1)) : undefined;
}

/** What an event changed a field from and to; of `custom_fields.<key>` when the two values of the key differ. */
export function changeOf(changes: Changes | null, field: string): FieldChange | undefined {
  if (!changes) return undefined;
  if (Object.hasOwn(changes, field)) return changes[field];
  const key = /^custom_fields\.(.+)$/s.exec(field)?.[1];
  const whole = key === undefined || !Object.hasOwn(changes, 'custom_fields') ? undefined : changes.custom_fields;
  if (key === undefined || whole === undefined) return undefined;
  const [from, to] = [valueAt(whole.from, key) ?? null, valueAt(whole.to, key) ?? null];
  return JSON.stringify(from) === JSON.stringify(to) ? undefined : { from, to };
}

/** The name that a field has within its record: conditions may say `ticket.priority` as well as `priority`. */
export function ownName(field: string, object: string): string {
  return field.startsWith(`${object}.`) ? field.slice(object.length + 1) : field;
}
