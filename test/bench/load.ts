import { Agent, get } from 'node:http';
import autocannon from 'autocannon';
import { treeSeconds } from '../support/cpu-time';

/** What one side of a comparison is sent, over and over. */
export interface Target {
  url: string;
  headers?: Record<string, string>;
  requests: autocannon.Request[];
  /** Requests before the first measurement; `WARM_UP` unless given. */
  warmUp?: number;
}

/** One whose CPU time is of interest, too. */
export interface CountedTarget extends Target {
  /** The server's process; those that it has started count as one with it. */
  pid: number;
  /** Requests of a run; those of the options unless given. */
  counted?: number;
}

export interface LoadOptions {
  connections: number;
  /** Of each run. */
  seconds: number;
  /** Runs of each side, taken in turns so that drift of the machine meets all alike. */
  rounds: number;
}

export interface CountedOptions {
  connections: number;
  /** Runs of each side, taken in turns. */
  rounds: number;
  /** Of each run. */
  requests: number;
  /** The first process of PostgreSQL. */
  postmaster: number;
}

/** What one side of a comparison came to: medians of its runs. */
export interface Measured {
  /** Requests per second. */
  rate: number;
  /** CPU time of a request in microseconds; NaN where the system does not tell. */
  cpu: { node: number; postgres: number };
}

/** A run of so many requests ends when autocannon looks the next time: each second by itself, which makes rates of short runs equal that are not. */
const SAMPLE_MS = 10;
/** Requests before the first measurement: enough for the code on the way to be compiled, however busy the machine. */
const WARM_UP = 2_000;

/** Requests per second of each side: the median of its runs. Throws when any answer was not a 2xx. */
export async function ratesOf<K extends string>(
  sides: Record<K, Target>,
  options: LoadOptions,
): Promise<Record<K, number>> {
  const names = Object.keys(sides) as K[];
  const rates = new Map<K, number[]>(names.map((name) => [name, []]));
  for (const name of names)
    await send(name, sides[name], options.connections, { amount: sides[name].warmUp ?? WARM_UP });
  for (let round = 0; round < options.rounds; round++) {
    for (const name of names) {
      const rate = await send(name, sides[name], options.connections, { duration: options.seconds });
      rates.get(name)?.push(rate);
    }
  }
  return Object.fromEntries(names.map((name) => [name, quantile(rates.get(name) ?? [], 0.5)])) as Record<K, number>;
}

/** Requests per second of each side, and the CPU time of a request: medians of runs of so many requests, in turns. */
export async function compare<K extends string>(
  sides: Record<K, CountedTarget>,
  options: CountedOptions,
): Promise<Record<K, Measured>> {
  const names = Object.keys(sides) as K[];
  const runs = new Map<K, Run[]>(names.map((name) => [name, []]));
  for (const name of names)
    await send(name, sides[name], options.connections, { amount: sides[name].warmUp ?? WARM_UP });
  for (let round = 0; round < options.rounds; round++) {
    for (const name of round % 2 ? names.toReversed() : names)
      runs.get(name)?.push(await measuredRun(name, sides[name], options));
  }
  const median = (name: K, part: keyof Run): number =>
    quantile(
      (runs.get(name) ?? []).map((run) => run[part]),
      0.5,
    );
  return Object.fromEntries(
    names.map((name): [K, Measured] => [
      name,
      { rate: median(name, 'rate'), cpu: { node: median(name, 'node'), postgres: median(name, 'postgres') } },
    ]),
  ) as Record<K, Measured>;
}

/** Requests per second, and microseconds of CPU of each. */
type Run = Pick<Measured, 'rate'> & Measured['cpu'];

async function measuredRun(name: string, target: CountedTarget, options: CountedOptions): Promise<Run> {
  const { connections, postmaster } = options;
  const requests = target.counted ?? options.requests;
  const seconds = (): number[] => [target.pid, postmaster].map((pid) => treeSeconds(pid) ?? NaN);
  const before = seconds();
  const began = performance.now();
  await send(name, target, connections, { amount: requests });
  const rate = (requests / (performance.now() - began)) * 1_000;
  const [node = NaN, postgres = NaN] = seconds().map((now, index) => ((now - (before[index] ?? NaN)) / requests) * 1e6);
  return { rate, node, postgres };
}

/** Answers requests per second. */
export async function send(
  name: string,
  { url, headers, requests }: Target,
  connections: number,
  length: { amount: number } | { duration: number },
): Promise<number> {
  const result = await autocannon({ url, headers, requests, connections, sampleInt: SAMPLE_MS, ...length });
  if (result.errors > 0 || result.non2xx > 0 || result['2xx'] === 0) {
    throw new Error(`${name}: ${result['2xx']} good answers, ${result.non2xx} others, ${result.errors} errors.`);
  }
  return result['2xx'] / result.duration;
}

/** Milliseconds of requests sent one after another. */
export interface Latency {
  p50: number;
  p95: number;
}

/** Sends requests one after another over one connection. */
export class Probe {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(private readonly headers: Record<string, string>) {}

  /** The body and the milliseconds until its end. */
  async get(url: string): Promise<{ body: string; ms: number }> {
    const started = performance.now();
    return new Promise((resolve, reject) => {
      get(url, { agent: this.agent, headers: this.headers }, (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => (body += part));
        response.on('error', reject);
        response.on('end', () => {
          if (response.statusCode === 200) resolve({ body, ms: performance.now() - started });
          else reject(new Error(`${url}: ${response.statusCode} ${body.slice(0, 300)}`));
        });
      }).on('error', reject);
    });
  }

  async latency(urls: readonly string[]): Promise<Latency> {
    const times: number[] = [];
    for (const url of urls) times.push((await this.get(url)).ms);
    return latencyOf(times);
  }

  close(): void {
    this.agent.destroy();
  }
}

export function latencyOf(times: readonly number[]): Latency {
  return { p50: quantile(times, 0.5), p95: quantile(times, 0.95) };
}

/** @param share 0 to 1; the median is 0.5 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? NaN;
  const above = sorted[Math.ceil(position)] ?? NaN;
  return below + (above - below) * (position - Math.floor(position));
}
