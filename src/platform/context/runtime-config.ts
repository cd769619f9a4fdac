import type { Config, ServiceUrls } from '../../config';

/** The configuration of a running process: what the environment said, and where PostgreSQL and Redis are. */
export interface RuntimeConfig extends Omit<Config, keyof ServiceUrls>, ServiceUrls {}

/** Injection token of the `RuntimeConfig`. */
export const RUNTIME_CONFIG = Symbol('RuntimeConfig');
