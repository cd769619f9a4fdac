import { createHash } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './root.mjs';

/** Runs an action while no other command of this checkout runs the same one; the lock of a killed command does not count. */
export async function withLock(name, action) {
  const checkout = createHash('sha256').update(root('.')).digest('hex').slice(0, 12);
  const lock = join(tmpdir(), `helpdesk-api-${name}-${checkout}.lock`);
  const mine = `${lock}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    while (!taken(mine, lock)) {
      if (!alive(holder(lock))) rmSync(lock, { force: true });
      else await sleep(200);
    }
  } finally {
    rmSync(mine, { force: true });
  }
  try {
    return await action();
  } finally {
    rmSync(lock, { force: true });
  }
}

function taken(mine, lock) {
  try {
    linkSync(mine, lock);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function holder(lock) {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch {
    return NaN;
  }
}

function alive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
