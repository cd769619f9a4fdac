import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from './start-error';

const pollMs = 25;

/** Whether the process runs; one that has ended but was not yet collected by its parent does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, under another user.
    if (errorCode(error) !== 'EPERM') return false;
  }
  return statOf(pid)?.state !== 'Z';
}

/** When the process began, in a form that only serves to be compared; with the pid it names a process for good. */
export function startOf(pid: number): string | null {
  return existsSync('/proc/self/stat') ? (statOf(pid)?.start ?? null) : psColumn(pid, 'lstart=');
}

/**
 * The command line of a process, or '' when there is none. Readable for processes of other users too, which the
 * working directory in `/proc` is not inside a container.
 */
export function commandLineOf(pid: number): string {
  if (!existsSync('/proc/self/cmdline')) return psColumn(pid, 'args=') ?? '';
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** Sends each signal in turn until the process is gone; seconds = how long to wait after each. */
export async function endProcess(pid: number, steps: readonly (readonly [NodeJS.Signals, number])[]): Promise<void> {
  for (const [signal, seconds] of steps) {
    if (!isAlive(pid)) return;
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (errorCode(error) !== 'ESRCH') throw error;
    }
    const deadline = Date.now() + seconds * 1000;
    while (isAlive(pid) && Date.now() < deadline) await sleep(pollMs);
  }
}

function statOf(pid: number): { state: string; start: string } | null {
  try {
    // The name between parentheses may itself hold spaces and parentheses; state is the field after it, start the 22nd.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return { state: fields[0] ?? '', start: fields[19] ?? '' };
  } catch {
    return null;
  }
}

function psColumn(pid: number, column: string): string | null {
  const { stdout, status } = spawnSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}
