import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { withLock } from './lock.mjs';
import { root } from './root.mjs';

/** Runs `npm ci` when node_modules is missing or is not what package-lock.json says. Its output goes to standard error. */
export async function installDependencies() {
  if (installed()) return;
  await withLock('install', () => {
    // Another command may have installed them while this one waited.
    if (installed()) return;
    process.stderr.write('Installing the locked dependencies (npm ci).\n');
    const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
    const npm = process.env.npm_execpath;
    const [program, programArgs] =
      npm !== undefined && /\.c?js$/.test(npm) ? [process.execPath, [npm, ...args]] : ['npm', args];
    const { status, error } = spawnSync(program, programArgs, { cwd: root('.'), stdio: ['ignore', 2, 2] });
    if (error !== undefined || status !== 0) {
      throw new Error(
        'npm ci failed for the reason above; mend it (often the network) and run the same command again.',
      );
    }
  });
}

/** Compares with the record npm keeps inside node_modules, so that an `npm ci` by hand counts too. */
function installed() {
  const record = root('node_modules/.package-lock.json');
  if (!existsSync(record)) return false;
  const wanted = JSON.parse(readFileSync(root('package-lock.json'), 'utf8')).packages;
  const present = JSON.parse(readFileSync(record, 'utf8')).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    const found = present[path];
    // Optional packages are there only for the platform they are made for.
    if (found === undefined) return entry.optional === true || entry.devOptional === true || entry.peer === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}
