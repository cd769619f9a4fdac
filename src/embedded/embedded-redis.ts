import type { ChildProcess } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { launch, Supervisor } from './child-service';
import { askRedis } from './connection-check';
import type { EmbeddedOptions, EmbeddedService } from './embedded-postgres';
import { rememberedPort } from './ports';
import { commandLineOf, endProcess, isAlive } from './processes';
import { type RedisProgram, redisProgram } from './redis-program';
import { rememberedPassword } from './remembered-password';
import { reachablePath, serviceUser, type ServiceUser } from './service-user';

/** SIGTERM saves the data set and ends; a Redis that cannot save stays, and what it has PostgreSQL can bring back. */
const shutdown = [
  ['SIGTERM', 6],
  ['SIGKILL', 2],
] as const;
const shutdownWithoutFiles = [['SIGKILL', 2]] as const;

/** Where Redis keeps its files and how its account reaches them. */
interface Place {
  readonly directory: string;
  /** Below `directory`, which stays ours: what we write there no compromised Redis can redirect. */
  readonly data: string;
  /** `data` as the account can name it. */
  readonly reachable: string;
  /** Null = ourselves. */
  readonly user: ServiceUser | null;
}

/**
 * Starts Redis (or Valkey) on a loopback port of its own, after ending what a killed run may have left; installs it
 * where it is missing and this user may. Root runs it under the account that PostgreSQL would get.
 *
 * @throws StartError
 */
export async function startEmbeddedRedis({ directory, durable, say }: EmbeddedOptions): Promise<EmbeddedService> {
  const program = redisProgram(say);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  await endLeftoverRedis(directory, say);
  const place = takePlace(directory);

  const password = rememberedPassword(join(directory, 'password'));
  const port = await rememberedPort(join(directory, 'port'));
  // In a file and not on the command line, which every user of the machine can read.
  give(place, 'redis.conf', settings(place.reachable, port, password, durable));
  const url = `redis://:${password}@127.0.0.1:${port}/0`;

  const steps = () => (existsSync(directory) ? shutdown : shutdownWithoutFiles);
  const supervisor = new Supervisor('Redis', () => start(program, place, url, say), steps, say);
  await supervisor.run();
  return { url, port, stop: () => supervisor.stop() };
}

/** Makes the directory of the data, and hands over what a former version kept beside it or wrote as root. */
function takePlace(directory: string): Place {
  const data = join(directory, 'data');
  const user = serviceUser(existsSync(data) ? data : directory);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const former = join(directory, 'dump.rdb');
  if (existsSync(former)) renameSync(former, join(data, 'dump.rdb'));
  rmSync(join(directory, 'redis.conf'), { force: true });
  if (user !== null) {
    // Its working directory needs no way in from above, but its own path begins here.
    chmodSync(directory, 0o711);
    for (const path of [data, ...readdirSync(data).map((name) => join(data, name))]) {
      lchownSync(path, user.uid, user.gid);
    }
  }
  return { directory, data, reachable: reachablePath('Redis', data, user), user };
}

/** Writes a file anew for the account. Never through a link that stands in its place. */
function give({ data, user }: Place, name: string, content: string): void {
  const file = join(data, name);
  rmSync(file, { force: true });
  writeFileSync(file, content, { mode: 0o600, flag: 'wx' });
  if (user !== null) lchownSync(file, user.uid, user.gid);
}

/** Redis carries jobs, limits and caches, all of which PostgreSQL can bring back: snapshots suffice, and a full disk must not stop writes. */
function settings(directory: string, port: number, password: string, durable: boolean): string {
  return [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `dir "${directory}"`,
    `pidfile "${join(directory, 'redis.pid')}"`,
    'daemonize no',
    'appendonly no',
    durable ? 'save 60 1' : 'save ""',
    'stop-writes-on-bgsave-error no',
    'maxmemory-policy noeviction',
    // The command line keeps what `marker` put there.
    'set-proc-title no',
    '',
  ].join('\n');
}

function start(
  { program, argv0 }: RedisProgram,
  { directory, data, reachable, user }: Place,
  url: string,
  say: (line: string) => void,
): Promise<ChildProcess> {
  const logFile = join(directory, 'redis.log');
  const answers = async () => (await askRedis(url)).failure === null;
  const args = [join(reachable, 'redis.conf'), '--syslog-ident', marker(directory)];
  return launch('Redis', { program, argv0, args, cwd: data, env: { TZ: 'UTC' }, user, logFile, answers }, say);
}

/** Stands in the command line, from which a later start recognises the process; a name in a log that is not kept. */
function marker(directory: string): string {
  return join(directory, 'redis.conf');
}

/** Ends a Redis whose starter was killed; it saves its data first. */
export async function endLeftoverRedis(directory: string, say: (line: string) => void): Promise<void> {
  // The second is where a former version kept it.
  for (const file of [join(directory, 'data', 'redis.pid'), join(directory, 'redis.pid')]) {
    if (!existsSync(file)) continue;
    const pid = Number(readFileSync(file, 'utf8'));
    if (Number.isInteger(pid) && pid > 1 && isAlive(pid) && commandLineOf(pid).includes(marker(directory))) {
      say('Ending the Redis that an earlier run left behind.');
      await endProcess(pid, shutdown);
    }
    rmSync(file, { force: true });
  }
}
