import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';

const VARIABLE = 'TEST_SLOWNESS';
/** What the reference machine, two quiet cores, takes for the two measures, in milliseconds. */
const COMPUTING_MS = 200;
const STARTING_MS = 90;
const MOST = 10;

/**
 * How many times slower than the reference machine this one is now, at least 1: computing, and starting a process. Measured
 * once for a run, by its global setup, and handed to the workers in the environment.
 */
export function measureSlowness(): void {
  const computing = timed(() => {
    for (let round = 0; round < 60; round++) createHash('sha256').update(Buffer.alloc(1_000_000, round)).digest();
    for (let round = 0, sum = 0; round < 3e7; round++) sum = (sum * 31 + round) | 0;
  });
  const starting = timed(() => {
    for (let round = 0; round < 2; round++) spawnSync(process.execPath, ['-e', '0']);
  });
  const slowness = Math.max(1, computing / COMPUTING_MS, starting / STARTING_MS);
  process.env[VARIABLE] = Math.min(slowness, MOST).toFixed(2);
}

/** A patience of the reference machine in that of this one; both in milliseconds. Only what fails waits so long. */
export function patience(ms: number): number {
  return Math.round(ms * Number(process.env[VARIABLE] ?? 1));
}

function timed(action: () => void): number {
  const begun = performance.now();
  action();
  return performance.now() - begun;
}
