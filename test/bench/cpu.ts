import { readFileSync } from 'node:fs';

/** Ticks per second of /proc; 100 on every Linux that Node runs on. */
const TICKS = 100;

/** CPU seconds that processes have used so far. Linux only; NaN elsewhere. */
export function cpuSeconds(pids: readonly number[]): number {
  try {
    return pids.reduce((sum, pid) => sum + ticksOf(pid), 0) / TICKS;
  } catch {
    return NaN;
  }
}

/** User and system time of a process, of its threads and of the children it has waited for. */
function ticksOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
