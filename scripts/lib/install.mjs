import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { withLock } from './lock.mjs';
import { showProgress } from './progress.mjs';
import { root } from './root.mjs';

/** Runs `npm ci` when node_modules is missing or is not what package-lock.json says. Its progress goes to standard error. */
export async function installDependencies() {
  if (installed()) return;
  await withLock('install', async () => {
    // Another command may have installed them while this one waited.
    if (installed()) return;
    const paths = packagesOfThisPlatform();
    const present = () => paths.filter((path) => existsSync(root(`${path}/package.json`))).length;
    const progress = showProgress(() => `Installing dependencies: ${present()} of ${paths.length} packages`);
    const { code, complaint } = await npmCi();
    progress.end(code === 0 ? `${paths.length} packages installed` : 'Installing dependencies failed');
    if (code === 0) return;
    process.stderr.write(complaint);
    throw new Error('npm ci failed for the reason above; mend it (often the network) and run the same command again.');
  });
}

async function npmCi() {
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const [program, programArgs] =
    npm !== undefined && /\.c?js$/.test(npm) ? [process.execPath, [npm, ...args]] : ['npm', args];
  const child = spawn(program, programArgs, { cwd: root('.'), stdio: ['ignore', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (text) => (complaint += text));
  const failed = once(child, 'error').then(([error]) => [1, String(error.message)]);
  const [code] = await Promise.race([once(child, 'close'), failed]);
  return { code: code ?? 1, complaint };
}

/** Where the packages of the lock file go; those for other systems stay out. */
function packagesOfThisPlatform() {
  const fits = (wanted, is) =>
    !wanted || wanted.includes(is) || (wanted[0]?.startsWith('!') && !wanted.includes(`!${is}`));
  return Object.entries(lockedPackages())
    .filter(
      ([path, { os, cpu, optional }]) =>
        path !== '' && (!optional || (fits(os, process.platform) && fits(cpu, process.arch))),
    )
    .map(([path]) => path);
}

function lockedPackages() {
  return JSON.parse(readFileSync(root('package-lock.json'), 'utf8')).packages;
}

/** Compares with the record npm keeps inside node_modules, so that an `npm ci` by hand counts too. */
function installed() {
  const record = root('node_modules/.package-lock.json');
  if (!existsSync(record)) return false;
  const present = JSON.parse(readFileSync(record, 'utf8')).packages;
  return Object.entries(lockedPackages()).every(([path, entry]) => {
    if (path === '') return true;
    const found = present[path];
    // Optional packages are there only for the platform they are made for.
    if (found === undefined) return entry.optional === true || entry.devOptional === true || entry.peer === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}
