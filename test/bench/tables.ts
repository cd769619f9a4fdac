import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../../src/config';
import { prepareData } from './bench-data';
import { startBenchServices } from './bench-services';
import { Child } from './child';
import { latencyOf, Probe } from './load';
import { milliseconds, report } from './report';

const QUIET_LISTS = 200;
const PAUSE_MS = 20;
/** Tables that are begun and left again, for their first bytes. */
const BEGINNINGS = 15;

/**
 * All tickets as CSV: the first byte, the memory that it takes besides, how many rows arrive, and what others notice of it who ask
 * for lists meanwhile.
 */
export async function runTables(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      tickets: { type: 'string', default: '1000000' },
      'data-dir': { type: 'string', default: join(projectRoot, '.data', 'bench') },
    },
  });
  const tickets = Number(values.tickets);
  const dataDir = values['data-dir'];
  const services = await startBenchServices(dataDir);
  try {
    const { measured } = await prepareData(services, dataDir, tickets, { alone: true });
    const { databaseUrl: DATABASE_URL, redisUrl: REDIS_URL } = services;
    const env = { DATABASE_URL, REDIS_URL, DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
    const service = await Child.start(join(projectRoot, 'dist', 'src', 'main.js'), env, '/v1/tickets', measured.token);
    const probe = new Probe({ authorization: `Bearer ${measured.token}` });
    try {
      const list = `${service.url}/v1/tickets?status=open&per_page=25`;
      const before: number[] = [];
      while (before.length < QUIET_LISTS) before.push((await probe.get(list)).ms);
      const begun: number[] = [];
      while (begun.length < BEGINNINGS) begun.push(await firstByte(`${service.url}/v1/tickets`, measured.token));
      const resident = service.memory();
      const most = service.watchMemory();
      const export_ = download(`${service.url}/v1/tickets`, measured.token);
      const during: number[] = [];
      while (!export_.isOver()) {
        during.push((await probe.get(list)).ms);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
      const { rows, bytes, ms } = await export_.done;
      const firstByteMs = latencyOf(begun).p50;
      const [alone, beside] = [latencyOf(before).p95, latencyOf(during).p95];
      const findings = [
        { name: 'first byte, median', value: firstByteMs, service: milliseconds(firstByteMs), target: { most: 200 } },
        { name: 'rows', value: rows, service: String(rows), target: { least: tickets } },
        { name: 'memory besides, MB', value: most() - resident, service: '', target: { most: 50 } },
        {
          name: 'p95 of a list, times that without',
          value: beside / alone,
          service: milliseconds(beside),
          beside: milliseconds(alone),
          target: { most: 2 },
        },
        { name: 'rows a second', value: (rows / ms) * 1_000, service: '', target: null },
      ];
      return report('tables', findings, { tickets, bytes, node: process.version });
    } finally {
      probe.close();
      await service.stop();
    }
  } finally {
    await services.stop();
  }
}

interface Downloaded {
  rows: number;
  bytes: number;
  ms: number;
}

/** How long it takes until a table begins, in ms; the rest of it is not read. */
function firstByte(url: string, token: string): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const asked = get(
      url,
      { agent: false, headers: { authorization: `Bearer ${token}`, accept: 'text/csv' } },
      (answer) =>
        answer.once('data', () => {
          resolve(performance.now() - began);
          asked.destroy();
        }),
    );
    asked.once('error', reject);
  });
}

/** Reads a table as fast as it comes and keeps nothing of it. */
function download(url: string, token: string): { done: Promise<Downloaded>; isOver: () => boolean } {
  let over = false;
  const began = performance.now();
  const done = new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, accept: 'text/csv' };
    get(url, { agent: false, headers }, resolve).once('error', reject);
  })
    .then(async (answer) => {
      if (answer.statusCode !== 200) throw new Error(`The export answered ${answer.statusCode ?? 0}.`);
      const result = { rows: -1, bytes: 0, ms: 0 };
      let isQuoted = false;
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        result.bytes += chunk.length;
        for (const byte of chunk) {
          if (byte === 0x22) isQuoted = !isQuoted;
          else if (byte === 0x0a && !isQuoted) result.rows++;
        }
      }
      return { ...result, ms: performance.now() - began };
    })
    .finally(() => (over = true));
  return { done, isOver: () => over };
}
