import type { RuntimeConfig } from '../platform/context/runtime-config';

/** What the first process knows and its processes do not: where the services are, and who they are. */
export type Assignment = Pick<
  RuntimeConfig,
  'databaseUrl' | 'migrateDatabaseUrl' | 'redisUrl' | 'embeddedIn' | 'port' | 'worker'
>;

export interface ServeOrder {
  readonly order: 'serve';
  readonly assignment: Assignment;
  /** Id of a demo workspace whose records are to be made before; null = of none. */
  readonly madeNow: number | null;
}

/** What the first process tells one of its processes. */
export type Order = ServeOrder | { readonly order: 'end' };

/** What a process tells the first one: that it hears orders (before, they would be lost), then, where it answers requests. */
export type Report = { readonly report: 'hears' } | { readonly report: 'answers'; readonly url: string };
