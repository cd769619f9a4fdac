import { readdirSync, readFileSync } from 'node:fs';

/** Ticks per second of /proc; 100 on every Linux that Node runs on. */
const TICKS = 100;

/** CPU seconds of the processes below this one by their names, children that have ended included; nothing where there is no /proc. */
export function cpuBelow(pid: number): { node: number; postgres: number } {
  const all = stats();
  const below = new Set([pid]);
  for (let size = 0; size !== below.size;) {
    size = below.size;
    for (const { id, parent } of all) if (below.has(parent)) below.add(id);
  }
  const sum = (isIt: (name: string) => boolean): number =>
    all
      .filter(({ id, name }) => id !== pid && below.has(id) && isIt(name))
      .reduce((total, { ticks }) => total + ticks, 0) / TICKS;
  return { node: sum((name) => /node|main/i.test(name)), postgres: sum((name) => name.startsWith('postgres')) };
}

/** MB of a process; 0 of one that has gone. */
export function resident(pid: number): number {
  try {
    const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1_024;
  } catch {
    return 0;
  }
}

function stats(): { id: number; parent: number; name: string; ticks: number }[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => statOf(Number(name)));
  } catch {
    return [];
  }
}

function statOf(id: number): { id: number; parent: number; name: string; ticks: number }[] {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
    const end = stat.lastIndexOf(')');
    const fields = stat
      .slice(end + 2)
      .split(' ')
      .map(Number);
    const name = stat.slice(stat.indexOf('(') + 1, end);
    const [, parent = 0] = fields;
    const times = fields.slice(11, 15);
    return [{ id, parent, name, ticks: times.reduce((sum, each) => sum + each, 0) }];
  } catch {
    return [];
  }
}
