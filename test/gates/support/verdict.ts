/** One thing that a gate looks at. */
export interface Check {
  name: string;
  value: number;
  target: { most: number } | { least: number };
  /** Depends on how busy the machine is: judged by the gate, not by the test suite. */
  timed?: boolean;
}

/** What a gate found. */
export interface Findings {
  checks: Check[];
  /** For the reader: sizes, times, circumstances. */
  facts: Record<string, unknown>;
}

/** A proof that takes too long for the test suite: `npm run gate -- <name> [options]`. */
export type Gate = (args: readonly string[]) => Promise<Findings>;

export function isMet({ value, target }: Check): boolean {
  return 'most' in target ? value <= target.most : value >= target.least;
}

/** Those that are not met and do not depend on the machine, in words; what a test shows when it fails. */
export function misses(checks: readonly Check[]): string[] {
  return checks
    .filter((check) => check.timed !== true && !isMet(check))
    .map(({ name, value, target }) => `${name}: ${value}, but ${JSON.stringify(target)}`);
}

/** Progress, for whoever waits. Standard output has only the result. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
