import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../../src/config';
import { postmasterOf, startBenchServices } from './bench-services';
import { ticketResource } from '../../src/areas/tickets/ticket.resource';
import { type BenchData, prepareBareTables, prepareData } from './bench-data';
import { Child } from './child';
import { measureFlatness } from './flatness';
import { measureLatency } from './latency';
import { measureProcesses } from './processes';
import { type Finding, report } from './report';
import { measureRoles } from './roles';
import type { Setting } from './setting';
import { measureCreation, measureThroughput } from './throughput';

const POOL = '10';
const parts = {
  throughput: measureThroughput,
  creation: measureCreation,
  latency: measureLatency,
  flatness: measureFlatness,
  processes: measureProcesses,
  roles: measureRoles,
};
type Part = keyof typeof parts;

/** Options of `npm run bench -- core`. */
interface CoreOptions {
  tickets: number;
  seconds: number;
  rounds: number;
  connections: number;
  requests: number;
  samples: number;
  dataDir: string;
  only: Part | null;
}

/** Ticket pages, reads, writes, searches, guards and memory, the service beside bare handlers on the same data. */
export async function runCore(args: readonly string[]): Promise<boolean> {
  const options = parseOptions(args);
  const services = await startBenchServices(options.dataDir);
  try {
    const data = await prepareData(services, options.dataDir, options.tickets);
    await prepareBareTables(services.databaseUrl, data.measured);
    const start = (env: Readonly<Record<string, string>>): Promise<Child> =>
      startService(services, options.dataDir, data, env);
    const { connections, seconds, rounds, requests, samples } = options;
    const bare = await startBare(services.databaseUrl, data);
    const setting: Setting = {
      data,
      databaseUrl: services.databaseUrl,
      service: await start({}),
      start,
      bare,
      authorization: `Bearer ${data.measured.token}`,
      load: { connections, seconds, rounds, requests, postmaster: postmasterOf(options.dataDir) },
      samples,
    };
    try {
      const findings: Finding[] = [];
      const memory = setting.service.watchMemory();
      for (const part of options.only ? [options.only] : (Object.keys(parts) as Part[])) {
        process.stderr.write(`Measuring ${part}.\n`);
        findings.push(...(await parts[part](setting)));
      }
      findings.push(used(memory()));
      await setting.service.stop();
      const began = performance.now();
      setting.service = await start({});
      findings.push(coldStart((performance.now() - began) / 1_000));
      return report('core', findings, { ...options, dataDir: undefined, node: process.version });
    } finally {
      await Promise.all([setting.service.stop(), bare.stop()]);
    }
  } finally {
    await services.stop();
  }
}

function parseOptions(args: readonly string[]): CoreOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      tickets: { type: 'string', default: '1000000' },
      seconds: { type: 'string', default: '8' },
      rounds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '16' },
      requests: { type: 'string', default: '2000' },
      samples: { type: 'string', default: '100' },
      'data-dir': { type: 'string', default: join(projectRoot, '.data', 'bench') },
      only: { type: 'string' },
    },
  });
  const { only } = values;
  if (only !== undefined && !Object.hasOwn(parts, only)) {
    throw new Error(`--only is one of ${Object.keys(parts).join(', ')}.`);
  }
  return {
    tickets: positive('tickets', values.tickets),
    seconds: positive('seconds', values.seconds),
    rounds: positive('rounds', values.rounds),
    connections: positive('connections', values.connections),
    requests: positive('requests', values.requests),
    samples: positive('samples', values.samples),
    dataDir: values['data-dir'],
    only: (only as Part | undefined) ?? null,
  };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} is a whole number from 1 up.`);
  return value;
}

function startBare(databaseUrl: string, { measured }: BenchData): Promise<Child> {
  const columns = ticketResource.columns.filter((column) => column.sql === undefined).map((column) => column.name);
  const env = { DATABASE_URL: databaseUrl, POOL, WORKSPACE: String(measured.id), COLUMNS: columns.join(',') };
  return Child.start(join(__dirname, 'bare-server.js'), env, '/ready');
}

/** The service as it is run, all features on; resolves with the first answer to a list of tickets. */
function startService(
  { databaseUrl, redisUrl }: { databaseUrl: string; redisUrl: string },
  dataDir: string,
  { measured }: BenchData,
  more: Readonly<Record<string, string>>,
): Promise<Child> {
  const env = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    DATABASE_POOL_SIZE: POOL,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    ROLE: 'all',
    ...more,
  };
  return Child.start(join(projectRoot, 'dist', 'src', 'main.js'), env, '/v1/tickets', measured.token);
}

function used(megabytes: number): Finding {
  return {
    name: 'memory of the API process under load, most seen, in MB',
    service: `${Math.round(megabytes)} MB`,
    value: megabytes,
    target: { most: 250 },
  };
}

function coldStart(seconds: number): Finding {
  return {
    name: 'start to the first page of tickets, existing database, in s',
    service: `${seconds.toFixed(2)} s`,
    value: seconds,
    target: { most: 3 },
  };
}
