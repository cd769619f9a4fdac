import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { errorCode, StartError } from './start-error';

/** The account a service runs under instead of root. */
export interface ServiceUser {
  readonly uid: number;
  readonly gid: number;
}

const candidates = ['postgres', 'nobody'];

/**
 * PostgreSQL refuses to run as root, so root hands it to another account: the owner of an existing data directory, else
 * an account that every Unix has. Null = not root, run as ourselves.
 *
 * @param clusterDir the cluster's directory, which may not exist yet
 * @throws StartError when there is no such account
 */
export function postgresUser(clusterDir: string): ServiceUser | null {
  if (process.getuid?.() !== 0) return null;
  const owner = ownerOf(clusterDir);
  if (owner !== null && owner.uid !== 0) return owner;
  for (const name of candidates) {
    const user = accountOf(name);
    if (user !== null) return user;
  }
  throw new StartError(
    'PostgreSQL does not run as root and this machine has no user "nobody"; run this as an ordinary user or set DATABASE_URL.',
  );
}

/** Whether that account can go into a directory by its path: a checkout below a private home is out of its reach. */
export function canEnter(user: ServiceUser, directory: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], { ...user, cwd: '/', stdio: 'ignore' }).status === 0;
}

function ownerOf(directory: string): ServiceUser | null {
  try {
    const { uid, gid } = statSync(directory);
    return { uid, gid };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function accountOf(name: string): ServiceUser | null {
  const uid = idOf('-u', name);
  const gid = idOf('-g', name);
  return uid === null || gid === null ? null : { uid, gid };
}

function idOf(flag: '-u' | '-g', name: string): number | null {
  const { status, stdout } = spawnSync('id', [flag, name], { encoding: 'utf8' });
  return status === 0 ? Number(stdout.trim()) : null;
}
