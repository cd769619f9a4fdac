import { existsSync, linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceUrls } from '../config';
import { makeFolder } from '../folder';
import { isAlive, startOf } from './processes';
import { errorCode, reasonOf, StartError } from './start-error';

/** What `instance.json` in the data directory says of the process that owns the directory's PostgreSQL and Redis. */
export interface Instance {
  readonly pid: number;
  /** From `startOf`: tells a process from a later one with the same pid. */
  readonly started: string | null;
  /** Null until they answer. */
  readonly services: ServiceUrls | null;
  /** Where the API answers; null when it does not, or not yet. */
  readonly url: string | null;
}

/** The right to run the services of one data directory, held by one process at a time. */
export interface Claim {
  /** Lets other processes of this data directory use the services. */
  publish(services: ServiceUrls): void;
  /** Tells further starts where the API answers. */
  serve(url: string): void;
  /** Lets no further process in. */
  unpublish(): void;
  release(): void;
}

/**
 * Creates the directory when it is missing.
 *
 * @throws StartError when it cannot be written
 */
export function prepareDataDir(dataDir: string): void {
  prepare(dataDir, 'data directory', 'DATA_DIR');
}

/** The same of the folder that files of records are kept in. */
export function prepareFileFolder(folder: string): void {
  prepare(folder, 'folder of files', 'ATTACHMENT_FOLDER', 0o700);
}

function prepare(folder: string, what: string, variable: string, mode?: number): void {
  const probe = join(folder, `.probe-${process.pid}`);
  try {
    makeFolder(folder, mode);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    throw new StartError(`The ${what} ${folder} ${whyUnusable(error, variable)}.`);
  }
}

function whyUnusable(error: unknown, variable: string): string {
  switch (errorCode(error)) {
    case 'ENOTDIR':
    case 'EEXIST':
      return `cannot be made, because a file is in its place; set ${variable} to a directory of your own`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `cannot be written, because there is no space left; free some, or set ${variable} to a directory elsewhere`;
    case 'EROFS':
    case 'ENOENT':
      return `cannot be made there, because that part of the file system takes no files; set ${variable} to a directory of your own`;
    default:
      return `cannot be written (${reasonOf(error)}); make it writable or set ${variable} to a directory of your own`;
  }
}

/** The live owner of a data directory, or null. */
export function liveInstance(dataDir: string): Instance | null {
  const instance = parse(read(join(dataDir, 'instance.json')));
  if (instance === null || !isAlive(instance.pid)) return null;
  return instance.started === null || instance.started === startOf(instance.pid) ? instance : null;
}

/**
 * Becomes the owner of a data directory; what a killed owner left behind does not stand in the way.
 *
 * @throws StartError when another live process is
 */
export function claimDataDir(dataDir: string): Claim {
  const file = join(dataDir, 'instance.json');
  const mine = join(dataDir, `instance.${process.pid}.json`);
  const entry = { pid: process.pid, started: startOf(process.pid) };
  write(mine, { ...entry, services: null, url: null });
  try {
    // link() is the atomic "create it unless it exists" that also brings the content along.
    while (!linked(mine, file)) {
      const owner = liveInstance(dataDir);
      if (owner !== null) throw inUse(dataDir, owner);
      removeStale(dataDir, file);
    }
  } finally {
    rmSync(mine, { force: true });
  }
  let published: Pick<Instance, 'services' | 'url'> = { services: null, url: null };
  const publish = (change: Partial<typeof published>): void => {
    published = { ...published, ...change };
    // Whoever deleted the directory under a running service has nobody left to tell.
    if (!existsSync(dataDir)) return;
    write(mine, { ...entry, ...published });
    renameSync(mine, file);
  };
  return {
    publish: (services) => {
      publish({ services });
    },
    serve: (url) => {
      publish({ url });
    },
    unpublish: () => {
      publish({ services: null, url: null });
    },
    release: () => {
      rmSync(file, { force: true });
    },
  };
}

/**
 * Registers this process as a user of services that another one owns.
 *
 * @returns takes the registration back
 */
export function attach(dataDir: string): () => void {
  const file = join(dataDir, `attached.${process.pid}`);
  write(file, { pid: process.pid, started: startOf(process.pid), services: null, url: null });
  return () => {
    rmSync(file, { force: true });
  };
}

/** Whether a live process is registered by `attach`. */
export function isShared(dataDir: string): boolean {
  if (!existsSync(dataDir)) return false;
  return readdirSync(dataDir)
    .filter((name) => name.startsWith('attached.'))
    .some((name) => {
      const user = parse(read(join(dataDir, name)));
      if (user !== null && isAlive(user.pid) && user.started === startOf(user.pid)) return true;
      rmSync(join(dataDir, name), { force: true });
      return false;
    });
}

/** Moves the dead owner's file aside; when a faster process has meanwhile put its own there, puts that back. */
function removeStale(dataDir: string, file: string): void {
  const aside = join(dataDir, `instance.${process.pid}.stale`);
  try {
    renameSync(file, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  const moved = parse(read(aside));
  if (moved !== null && isAlive(moved.pid) && moved.started === startOf(moved.pid)) linked(aside, file);
  rmSync(aside, { force: true });
}

function inUse(dataDir: string, owner: Instance): StartError {
  return new StartError(
    `The data directory ${dataDir} is in use by process ${owner.pid}${owner.url === null ? '' : `, which answers at ${owner.url}`}; stop that one first or set DATA_DIR and PORT to others.`,
  );
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function write(file: string, instance: Instance): void {
  writeFileSync(file, `${JSON.stringify(instance)}\n`, { mode: 0o600 });
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return '';
    throw new StartError(`${file} cannot be read (${reasonOf(error)}); run this as the user that owns it.`);
  }
}

function parse(content: string): Instance | null {
  try {
    const value = JSON.parse(content) as Partial<Instance>;
    return typeof value.pid === 'number'
      ? { pid: value.pid, started: value.started ?? null, services: value.services ?? null, url: value.url ?? null }
      : null;
  } catch {
    return null;
  }
}
