/** Text of a value with its members in order: two values are the same when these are. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/** `CreatedAfter` of `created_after`. */
export function pascal(text: string): string {
  return text.replace(/(?:^|[^A-Za-z0-9])+(\w)/g, (_all, letter: string) => letter.toUpperCase());
}

/** A name that is free among `taken`: the wish, or the wish with a number. */
export function freeName(wish: string, taken: object): string {
  if (!(wish in taken)) return wish;
  for (let number = 2; ; number += 1) if (!(`${wish}${number}` in taken)) return `${wish}${number}`;
}
