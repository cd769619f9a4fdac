import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launch, Supervisor } from './child-service';
import { askRedis } from './connection-check';
import type { EmbeddedOptions, EmbeddedService } from './embedded-postgres';
import { rememberedPort } from './ports';
import { commandLineOf, endProcess, isAlive } from './processes';
import { type RedisProgram, redisProgram } from './redis-program';

/** SIGTERM saves the data set and ends; a Redis that cannot save stays, and what it has PostgreSQL can bring back. */
const shutdown = [
  ['SIGTERM', 6],
  ['SIGKILL', 2],
] as const;
const shutdownWithoutFiles = [['SIGKILL', 2]] as const;

/**
 * Starts Redis (or Valkey) on a loopback port of its own, after ending what a killed run may have left; installs it
 * where it is missing and this user may.
 *
 * @throws StartError
 */
export async function startEmbeddedRedis({ directory, durable, say }: EmbeddedOptions): Promise<EmbeddedService> {
  const program = redisProgram(say);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const configFile = join(directory, 'redis.conf');
  await endLeftoverRedis(directory, say);

  const password = rememberedPassword(join(directory, 'password'));
  const port = await rememberedPort(join(directory, 'port'));
  // In a file and not on the command line, which every user of the machine can read.
  writeFileSync(configFile, settings(directory, port, password, durable), { mode: 0o600 });
  const url = `redis://:${password}@127.0.0.1:${port}/0`;

  const steps = () => (existsSync(directory) ? shutdown : shutdownWithoutFiles);
  const supervisor = new Supervisor('Redis', () => start(program, directory, configFile, url, say), steps, say);
  await supervisor.run();
  return { url, port, stop: () => supervisor.stop() };
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
    // The command line keeps the path of this file, by which a later start recognises the process.
    'set-proc-title no',
    '',
  ].join('\n');
}

function start(
  { program, argv0 }: RedisProgram,
  directory: string,
  configFile: string,
  url: string,
  say: (line: string) => void,
): Promise<ChildProcess> {
  const logFile = join(directory, 'redis.log');
  const answers = async () => (await askRedis(url)).failure === null;
  const plan = { program, argv0, args: [configFile], cwd: directory, env: { TZ: 'UTC' }, user: null, logFile, answers };
  return launch('Redis', plan, say);
}

/** Ends a Redis whose starter was killed; it saves its data first. */
export async function endLeftoverRedis(directory: string, say: (line: string) => void): Promise<void> {
  const file = join(directory, 'redis.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8'));
  if (Number.isInteger(pid) && pid > 1 && isAlive(pid) && commandLineOf(pid).includes(join(directory, 'redis.conf'))) {
    say('Ending the Redis that an earlier run left behind.');
    await endProcess(pid, shutdown);
  }
  rmSync(file, { force: true });
}

function rememberedPassword(file: string): string {
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}
