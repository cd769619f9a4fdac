/**
 * JSON that this program's own SQL or code wrote, as what it was written as. Nothing is checked: what clients, providers
 * or mail say goes through validation instead.
 */
export function ownJson<T>(text: string): T {
  return JSON.parse(text) as T;
}

/** Whether a value from outside is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Whether every object has a member of that name by itself (`toString`, `constructor`): one of its own would be lost where objects are
 * copied, or hinder what makes a text of it. Nothing in a body may have it.
 */
export function isInherited(name: string): boolean {
  return Object.hasOwn(Object.prototype, name);
}

/** Whether a value from outside is one of a closed list. */
export function isOneOf<T>(allowed: readonly T[], value: unknown): value is T {
  return allowed.some((each) => each === value);
}

/** Text of a value with its members in order: two values are the same when these are. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
