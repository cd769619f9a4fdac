import type { BenchData } from './bench-data';
import type { Child } from './child';
import type { LoadOptions } from './load';

/** What every measurement works with. */
export interface Setting {
  data: BenchData;
  databaseUrl: string;
  service: Child;
  bare: Child;
  /** Header of the measured workspace. */
  authorization: string;
  load: LoadOptions;
  /** Requests of each sequential measurement. */
  samples: number;
}

/** URL of a path below `/v1`. */
export function at({ service }: Setting, path: string): string {
  return `${service.url}/v1${path}`;
}
