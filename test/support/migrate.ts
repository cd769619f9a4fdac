import { runMigrations } from '../../src/platform/database/migrate';
import { installed } from './areas';

/** Every migration, oldest first. */
export const { migrations } = installed;

/** Brings a database up to date. Answers the names of what was applied now. */
export function migrate(databaseUrl: string): Promise<string[]> {
  return runMigrations(databaseUrl, migrations);
}
