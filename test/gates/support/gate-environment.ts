import { join } from 'node:path';
import type { ServiceUrls } from '../../../src/config';

/** The environment of processes of a gate: everything that this machine's could say otherwise is said. */
export function gateEnvironment(
  { databaseUrl, migrateDatabaseUrl, redisUrl }: ServiceUrls,
  dataDir: string,
): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    MIGRATE_DATABASE_URL: migrateDatabaseUrl,
    REDIS_URL: redisUrl,
    DATA_DIR: join(dataDir, 'app'),
    SECRETS_KEY: '5ec2e7'.padEnd(64, '0'),
    WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32',
    DATABASE_POOL_SIZE: '10',
    LOG_LEVEL: 'warn',
    PUBLIC_URL: '',
    SMTP_URL: '',
  };
}
