import { spawnSync } from 'node:child_process';

/** A program that tests use as it is on the machine, and what brings it. */
export interface MachineTool {
  program: string;
  /** Its package by package manager; `default` where the name is the same everywhere. */
  packages: Readonly<Record<string, string>>;
}

export const CHROMIUM: MachineTool = { program: 'chromium', packages: { default: 'chromium' } };
export const CURL: MachineTool = { program: 'curl', packages: { default: 'curl' } };
export const POPPLER: MachineTool = {
  program: 'pdftotext',
  packages: { default: 'poppler-utils', pacman: 'poppler', brew: 'poppler' },
};

const APT = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', '-o', 'DPkg::Lock::Timeout=300'];

/** How machines get programs: the commands before the package's name. */
const managers: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'apt-get': [
    [...APT, 'update'],
    [...APT, 'install', '-y', '--no-install-recommends'],
  ],
  dnf: [['dnf', 'install', '-y']],
  apk: [['apk', 'add']],
  pacman: [['pacman', '-Sy', '--noconfirm']],
  brew: [['brew', 'install']],
};

const there = new Set<string>();

/**
 * Installs a program with the machine's package manager where it is missing, as the service does with Redis.
 *
 * @throws Error naming the package, where that may not be or fails
 */
export function ensureTool({ program, packages }: MachineTool): void {
  if (there.has(program) || isThere(program)) return;
  const manager = Object.keys(managers).find((name) => isThere(name));
  const name = packages[manager ?? ''] ?? packages.default ?? program;
  if (!manager) throw new Error(`The tests need ${program}; install ${name}.`);
  const sudo = process.getuid?.() === 0 || manager === 'brew' ? [] : ['sudo', '-n'];
  const commands = managers[manager] ?? [];
  let output = '';
  for (const [index, command] of commands.entries()) {
    const [first = '', ...rest] = [...sudo, ...command, ...(index === commands.length - 1 ? [name] : [])];
    output = spawnSync(first, rest, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8', timeout: 600_000 }).stderr;
  }
  if (!isThere(program)) throw new Error(`The tests need ${program}, and installing ${name} failed: ${output.trim()}`);
}

function isThere(program: string): boolean {
  const found = spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0;
  if (found) there.add(program);
  return found;
}
