import { getConfigToken } from '@nestjs/config';
import type { Config, ServiceUrls } from '../../config';

/** The configuration of a running process: what the environment said, and where PostgreSQL and Redis are. */
export interface RuntimeConfig extends Omit<Config, keyof ServiceUrls>, ServiceUrls {
  /** The data directory that this process's own PostgreSQL or Redis live in; absent when both are somebody else's. */
  readonly embeddedIn?: string | null;
  /** Which of several processes behind one port this is, from 1; absent = the only one. */
  readonly worker?: number;
  /** How many times longer than usual statements, locks, threads and clients may take, for tests on a slow machine; absent = 1. */
  readonly slowness?: number;
}

/** Its name for `ConfigService`: `get('runtime.port')`. */
export const RUNTIME = 'runtime';

/** Injection token of the `RuntimeConfig`: typed, which `ConfigService` is not. */
export const RUNTIME_CONFIG = getConfigToken(RUNTIME);
