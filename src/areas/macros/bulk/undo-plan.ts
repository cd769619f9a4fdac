import type { Changes } from '../../../platform/events/event-rows';

/** Members of a ticket that can be set back. What was said, sent or escalated stays. */
const UNDOABLE = [
  'subject',
  'description',
  'status',
  'custom_status_id',
  'priority',
  'type',
  'company_id',
  'category_id',
  'team_id',
  'assigned_to',
  'tags',
  'on_hold_reason',
  'on_hold_until',
  'custom_fields',
] as const;

/** What of a change can be taken back; null when nothing can. */
export function undoable(changes: Changes): Changes | null {
  const some = UNDOABLE.flatMap((name) => (changes[name] ? [[name, changes[name]] as const] : []));
  return some.length === 0 ? null : Object.fromEntries(some);
}

/**
 * The change that sets members back which are still as they were left; the others somebody has changed since.
 *
 * @param ticket as it is now
 */
export function undoing(changes: Changes, ticket: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const still = Object.entries(changes).filter(([name, { to }]) => same(ticket[name], to));
  return Object.fromEntries(still.map(([name, { from }]) => [name, from]));
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}
