import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { MigrationInterface } from 'typeorm';
import { loadPlugins } from '../../src/plugins/load';
import { plugins } from './plugins';

type MigrationClass = new () => MigrationInterface;

const load = createRequire(__filename);
const folder = join(__dirname, '../../migrations');
const time = ({ name }: MigrationClass): number => Number(name.slice(-13));

/**
 * Every migration, oldest first, as `installed.migrations` has them: found by their files, for who needs no more of the
 * areas. To load those takes 3 s of CPU.
 */
export function migrationFiles(): MigrationClass[] {
  const ours = readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .flatMap((name) => Object.values(load(join(folder, name)) as Record<string, MigrationClass>))
    .filter(({ name }) => /\d{13}$/.test(name));
  const theirs = loadPlugins(plugins ?? []).flatMap(({ migrations = [] }) => migrations);
  return [...ours, ...theirs].sort((a, b) => time(a) - time(b));
}
