import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** A program that tests use as it is on the machine, and what brings it. */
export interface MachineTool {
  program: string;
  /** It brings a service along, which is not to be started. */
  isService?: boolean;
  /** Its package by package manager; `default` where the name is the same everywhere. */
  packages: Readonly<Record<string, string>>;
}

export const CHROMIUM: MachineTool = { program: 'chromium', packages: { default: 'chromium' } };
export const CURL: MachineTool = { program: 'curl', packages: { default: 'curl' } };
export const POPPLER: MachineTool = {
  program: 'pdftotext',
  packages: { default: 'poppler-utils', pacman: 'poppler', brew: 'poppler' },
};

/** An LDAP server, for tests alone; it is started by them, from a folder of their own. */
export const SLAPD: MachineTool = {
  program: 'slapd',
  isService: true,
  packages: { default: 'openldap', 'apt-get': 'slapd', dnf: 'openldap-servers' },
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
export function ensureTool({ program, packages, isService = false }: MachineTool): void {
  if (there.has(program) || isThere(program)) return;
  const manager = Object.keys(managers).find((name) => isThere(name));
  const name = packages[manager ?? ''] ?? packages.default ?? program;
  if (!manager) throw new Error(`The tests need ${program}; install ${name}.`);
  const sudo = process.getuid?.() === 0 || manager === 'brew' ? [] : ['sudo', '-n'];
  const commands = managers[manager] ?? [];
  let output = '';
  const letStart = isService && manager === 'apt-get' ? withoutServices(sudo) : () => undefined;
  for (const [index, command] of commands.entries()) {
    const [first = '', ...rest] = [...sudo, ...command, ...(index === commands.length - 1 ? [name] : [])];
    output = spawnSync(first, rest, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8', timeout: 600_000 }).stderr;
  }
  letStart();
  if (!isThere(program)) throw new Error(`The tests need ${program}, and installing ${name} failed: ${output.trim()}`);
}

function isThere(program: string): boolean {
  const found =
    spawnSync('sh', ['-c', `PATH="$PATH:/usr/sbin:/usr/libexec" command -v ${program}`], { stdio: 'ignore' }).status ===
    0;
  if (found) there.add(program);
  return found;
}

/** What Debian's packages ask before they start a service. */
const POLICY = '/usr/sbin/policy-rc.d';

/** Lets no package start its service; answers what lets them again. A machine that has said so itself stays as it is. */
function withoutServices(sudo: readonly string[]): () => void {
  const run = (script: string): void => {
    const [first, ...rest] = [...sudo, 'sh', '-c', script];
    spawnSync(first, rest, { stdio: 'ignore' });
  };
  if (existsSync(POLICY)) return () => undefined;
  run(`printf '#!/bin/sh\\nexit 101\\n' > ${POLICY} && chmod 755 ${POLICY}`);
  return () => run(`rm -f ${POLICY}`);
}
