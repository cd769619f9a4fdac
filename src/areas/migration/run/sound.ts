/** A value of a source with nothing in its texts that JSON in PostgreSQL cannot hold: NUL, halves of surrogate pairs. */
export function sound(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\uFFFD');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sound);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [sound(name), sound(each)]));
}

/** The same as JSON. */
export function soundJson(value: unknown): string {
  return JSON.stringify(sound(value));
}
