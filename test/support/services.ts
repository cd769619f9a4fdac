import type { ServiceUrls } from '../../src/config';

/** The PostgreSQL (migrated) and Redis that `global-setup.ts` started for this run; it hands them to the workers in the environment. */
export function testServices(): ServiceUrls {
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = process.env;
  if (databaseUrl === undefined || redisUrl === undefined) throw new Error('Run the tests with npm test.');
  return { databaseUrl, redisUrl };
}
