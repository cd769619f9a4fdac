/** Holds its thread until another thread has stored something else than 0 in the flag and says so. */
export function waitFor({ flag, answer }: { flag: Int32Array; answer: string }): string {
  Atomics.wait(flag, 0, 0);
  return answer;
}

/** Never comes back. */
export function spin(_: null): never {
  for (;;);
}

/** Takes all the memory there is. */
export function hoard(_: null): number {
  const kept: number[][] = [];
  for (;;) kept.push(Array.from({ length: 100_000 }, (_each, index) => index));
}

export function refuse(why: string): never {
  throw new RangeError(why);
}

/** Names of the environment variables that a thread sees. */
export function variables(_: null): string[] {
  return Object.keys(globalThis.process.env);
}
