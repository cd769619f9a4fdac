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
 * PostgreSQL refuses to run as root and Redis has no need to, so root hands them to another account: the owner of an
 * existing data directory, else an account that every Unix has. Null = not root, run as ourselves.
 *
 * @param dataDir the service's directory, which may not exist yet
 * @throws StartError when there is no such account
 */
export function serviceUser(dataDir: string): ServiceUser | null {
  if (process.getuid?.() !== 0) return null;
  const owner = ownerOf(dataDir);
  if (owner !== null && owner.uid !== 0) return owner;
  for (const name of candidates) {
    const user = accountOf(name);
    if (user !== null) return user;
  }
  throw new StartError(
    'PostgreSQL and Redis do not run as root and this machine has no user "nobody"; run this as an ordinary user or set DATABASE_URL and REDIS_URL.',
  );
}

/** Whether that account can go into a directory by its path: a checkout below a private home is out of its reach. */
function canEnter(user: ServiceUser, directory: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], { ...user, cwd: '/', stdio: 'ignore' }).status === 0;
}

/**
 * The path by which the account names its directory. Below a private home it has none: there, Linux lets it use the
 * working directory it was started in, which needs no way in from above.
 *
 * @param name of the service, for the error
 * @throws StartError where only a path would do
 */
export function reachablePath(name: string, directory: string, user: ServiceUser | null): string {
  if (user === null || canEnter(user, directory)) return directory;
  if (process.platform === 'linux') return '/proc/self/cwd';
  throw new StartError(
    `${name} does not run as root, and other users cannot enter ${directory}; set DATA_DIR to a directory that they can, such as /var/lib/helpdesk.`,
  );
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
