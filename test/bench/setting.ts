import type { BenchData } from './bench-data';
import type { Child } from './child';
import type { CountedOptions } from './load';

/** What every measurement works with. */
export interface Setting {
  data: BenchData;
  databaseUrl: string;
  /** The service as it is run, in one process; a measurement that needs another state of it puts a new one in its place. */
  service: Child;
  /** Starts one more, with other variables; resolves with its first answer to a list of tickets. */
  start: (env: Readonly<Record<string, string>>) => Promise<Child>;
  bare: Child;
  /** Header of the measured workspace. */
  authorization: string;
  load: CountedOptions;
  /** Requests of each sequential measurement. */
  samples: number;
}

/** URL of a path below `/v1`. */
export function at({ service }: Setting, path: string): string {
  return `${service.url}/v1${path}`;
}
