import { createHash } from 'node:crypto';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { migrations } from '../support/migrate';
import { migrationFiles } from '../support/migration-files';

/** One answer to whatever migrations ask: nothing is set up yet, the user may do everything, there is one trigger. */
const ANSWER = {
  version: 180_000,
  may_create: true,
  unconfined: null,
  held: false,
  function: 'F',
  trigger: 'T',
  table: 'x',
  made: 'lower(y)',
  column: 'z',
};

/** What a migration would run, parameters included, without a database. */
async function recorded(migration: MigrationInterface, way: 'up' | 'down'): Promise<string> {
  const statements: string[] = [];
  const runner = {
    query: (sql: string, parameters: readonly unknown[] = []) => {
      statements.push(JSON.stringify([sql, parameters]));
      return Promise.resolve([ANSWER]);
    },
  };
  await migration[way](runner as unknown as QueryRunner);
  return createHash('sha256').update(statements.join('\n')).digest('hex').slice(0, 32);
}

/**
 * A database that ran a migration never runs it again: editing one, or the SQL it takes from `migrations/support/`, makes new
 * databases differ from old ones. When this fails, take the edit back and write another migration (or `support/v2/`).
 */
describe('a shipped migration runs what it ran when it was merged', () => {
  it.each(migrations.map((each) => [each.name, each] as const))('%s', async (_, Migration) => {
    const migration = new Migration();
    expect([await recorded(migration, 'up'), await recorded(migration, 'down')].join(' ')).toMatchSnapshot();
  });
});

it('has every file of migrations in an area, in the same order', () => {
  const named = (all: typeof migrations): string[] => all.map(({ name }) => name);
  expect(named(migrationFiles())).toEqual(named(migrations));
});
