/** A variable of the environment has no usable value. The message is one sentence that says what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** An empty variable counts as unset: that is what `PORT= npm start` and an empty line of `.env` mean. */
export function text(env: NodeJS.ProcessEnv, name: string): string | null {
  const value = env[name]?.trim();
  return value === undefined || value === '' ? null : value;
}

export function wholeNumber(env: NodeJS.ProcessEnv, name: string, fallback: number, low: number, high: number): number {
  const value = text(env, name);
  if (value === null) return fallback;
  const number = /^\d{1,9}$/.test(value) ? Number(value) : NaN;
  if (!(number >= low && number <= high)) {
    throw new ConfigError(`${name} must be a whole number from ${low} to ${high}, but is "${value}".`);
  }
  return number;
}

export function oneOf<T extends string>(env: NodeJS.ProcessEnv, name: string, accepted: readonly T[], fallback: T): T {
  const value = text(env, name);
  if (value === null) return fallback;
  const known = accepted.find((candidate) => candidate === value);
  if (known === undefined) throw new ConfigError(`${name} must be one of ${accepted.join(', ')}, but is "${value}".`);
  return known;
}
