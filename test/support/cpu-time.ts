import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second, whatever its kernel's own ticks are. */
const TICKS_PER_SECOND = 100;

interface Process {
  pid: number;
  parent: number;
  name: string;
  /** Its own CPU time and that of its children that have ended. */
  seconds: number;
}

/**
 * CPU seconds of this process and everything it started, by what it is: `jest` and its workers (which have ended by now),
 * `postgres`, `redis`. Null where there is no `/proc`.
 */
export function cpuTime(): Record<'tests' | 'postgres' | 'redis' | 'total', number> | null {
  const all = processes();
  const own = all.find(({ pid }) => pid === process.pid);
  if (!own) return null;
  const spent = { tests: own.seconds, postgres: 0, redis: 0 };
  const isOurs = ({ parent }: Process): boolean =>
    parent === process.pid || all.some((each) => each.pid === parent && isOurs(each));
  for (const each of all.filter(isOurs)) {
    const kind = /^postgres/.test(each.name) ? 'postgres' : /^(redis|valkey)/.test(each.name) ? 'redis' : 'tests';
    spent[kind] += each.seconds;
  }
  return { ...spent, total: spent.tests + spent.postgres + spent.redis };
}

/** CPU seconds of a process and of all that it has started, whether they are still there or have ended; null where there is no `/proc`. */
export function treeSeconds(pid: number): number | null {
  const all = processes();
  const own = all.find((each) => each.pid === pid);
  const below = (parent: number): number =>
    all.reduce((sum, each) => (each.parent === parent ? sum + each.seconds + below(each.pid) : sum), 0);
  return own ? own.seconds + below(pid) : null;
}

/** Processes that a process has started and that are there. */
export function childrenOf(pid: number): number[] {
  return processes().flatMap((each) => (each.parent === pid ? [each.pid] : []));
}

function processes(): Process[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (read(Number(name)) ?? []) : []));
  } catch {
    return [];
  }
}

function read(pid: number): Process | null {
  try {
    const [, name = '', rest = ''] = /\((.*)\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const fields = rest.split(' ').map(Number);
    const ticks = fields.slice(11, 15).reduce((sum, each) => sum + each, 0);
    return { pid, parent: fields[1] ?? 0, name, seconds: ticks / TICKS_PER_SECOND };
  } catch {
    // It has ended meanwhile.
    return null;
  }
}
