import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { root } from './root.mjs';

const PATIENCE_MS = 1_500;

/**
 * Where a service already runs on this data directory, as a sentence or two; null when none answers. Needs nothing that
 * would have to be installed or built first.
 */
export async function alreadyRunning() {
  if (existsSync(root('.env'))) process.loadEnvFile(root('.env'));
  const dataDir = resolve(root('.'), process.env.DATA_DIR?.trim() || '.data');
  const instance = readInstance(join(dataDir, 'instance.json'));
  if (!instance?.url || !runs(instance)) return null;
  if (!(await answers(instance.url))) return null;
  const file = join(dataDir, 'demo-token');
  const shown = relative(process.cwd(), file).startsWith('..') ? file : relative(process.cwd(), file);
  return [
    `helpdesk-api is already running at ${instance.url} (process ${instance.pid}).`,
    ...(existsSync(file) ? [`The token is in ${shown}.`] : []),
    'For a second one beside it set DATA_DIR and PORT to others.',
  ].join('\n');
}

function readInstance(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** The process of the record and not a later one with its number. */
function runs({ pid, started }) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return false;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return started === null || stat[19] === started;
  } catch {
    return true;
  }
}

async function answers(url) {
  const answer = await fetch(`${url}/v1/health`, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => null);
  return answer?.headers.get('x-api-version') === 'v1';
}
