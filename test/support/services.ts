import type { ServiceUrls } from '../../src/config';

/** Where the services of a run answer, and who may do what there. */
export interface TestServices extends ServiceUrls {
  /** The database as the superuser of the cluster, outside row-level security: the tests' own way in. */
  adminUrl: string;
  /** A folder that goes away with the run. */
  dataDir: string;
}

/** The PostgreSQL (migrated) and Redis that `global-setup.ts` started for this run; it hands them to the workers in the environment. */
export function testServices(): TestServices {
  const { DATABASE_URL, MIGRATE_DATABASE_URL, REDIS_URL, TEST_ADMIN_URL, DATA_DIR } = process.env;
  if (!DATABASE_URL || !MIGRATE_DATABASE_URL || !REDIS_URL || !TEST_ADMIN_URL || !DATA_DIR)
    throw new Error('Run the tests with npm test.');
  return {
    databaseUrl: DATABASE_URL,
    migrateDatabaseUrl: MIGRATE_DATABASE_URL,
    redisUrl: REDIS_URL,
    adminUrl: TEST_ADMIN_URL,
    dataDir: DATA_DIR,
  };
}
