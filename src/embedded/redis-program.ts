import { spawnSync } from 'node:child_process';
import { StartError } from './start-error';

/** A Redis or Valkey server that is on this machine. */
export interface RedisProgram {
  readonly program: string;
  /** The name it goes by when it runs: Debian's tools are the server itself under other names. */
  readonly argv0: string;
}

interface PackageManager {
  readonly name: string;
  /** Run one after the other; the last one decides. */
  readonly install: readonly (readonly string[])[];
  /** What a person types. */
  readonly byHand: string;
  readonly asRoot: boolean;
}

const programs: readonly RedisProgram[] = [
  { program: 'redis-server', argv0: 'redis-server' },
  { program: 'valkey-server', argv0: 'valkey-server' },
  { program: 'redis-check-rdb', argv0: 'redis-server' },
  { program: 'valkey-check-rdb', argv0: 'valkey-server' },
];

const apt = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', '-o', 'DPkg::Lock::Timeout=300'];

const managers: readonly PackageManager[] = [
  {
    name: 'apt-get',
    // redis-tools is the same program without the system service that redis-server would start.
    install: [
      [...apt, 'update'],
      [...apt, 'install', '-y', '--no-install-recommends', 'redis-tools'],
    ],
    byHand: 'apt-get install redis-server',
    asRoot: true,
  },
  { name: 'dnf', install: [['dnf', 'install', '-y', 'redis']], byHand: 'dnf install redis', asRoot: true },
  { name: 'apk', install: [['apk', 'add', 'redis']], byHand: 'apk add redis', asRoot: true },
  { name: 'pacman', install: [['pacman', '-Sy', '--noconfirm', 'valkey']], byHand: 'pacman -S valkey', asRoot: true },
  { name: 'brew', install: [['brew', 'install', 'redis']], byHand: 'brew install redis', asRoot: false },
];

/**
 * Finds Redis, or installs it through the machine's package manager where this user may.
 *
 * @throws StartError with the one command that mends it
 */
export function redisProgram(say: (line: string) => void): RedisProgram {
  const found = findRedis();
  if (found !== null) return found;

  const manager = managers.find(({ name }) => answersVersion(name));
  if (manager === undefined) {
    throw new StartError(
      'Redis is not installed; install redis-server or valkey-server, or set REDIS_URL to a running one.',
    );
  }
  const root = process.getuid?.() === 0;
  if (manager.asRoot && !root) {
    throw new StartError(`Redis is not installed; run "sudo ${manager.byHand}" and start again, or set REDIS_URL.`);
  }
  say(`Redis is not installed; installing it with ${manager.name} (once).`);
  let output = '';
  for (const [command = '', ...args] of manager.install) {
    const result = spawnSync(command, args, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8', timeout: 600_000 });
    output = result.stderr;
  }
  const installed = findRedis();
  if (installed !== null) return installed;
  const reason = output.trim().split('\n').at(-1) ?? '';
  throw new StartError(
    `Installing Redis failed (${reason}); run "${manager.byHand}" and start again, or set REDIS_URL.`,
  );
}

/** The server on PATH, or null. */
function findRedis(): RedisProgram | null {
  return programs.find(({ program, argv0 }) => isServer(program, argv0)) ?? null;
}

function isServer(program: string, argv0: string): boolean {
  const { status, stdout, error } = spawnSync(program, ['--version'], { argv0, encoding: 'utf8' });
  return error === undefined && status === 0 && /server v=/i.test(stdout);
}

function answersVersion(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
}
