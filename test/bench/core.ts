import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../../src/config';
import { postmasterOf, startBenchServices } from './bench-services';
import { prepareBareTables, prepareData } from './bench-data';
import { startBare, startService } from './bench-servers';
import type { Child } from './child';
import { measureFlatness } from './flatness';
import { measureLatency } from './latency';
import { measureProcesses } from './processes';
import { type Finding, report, told } from './report';
import { measureRoles } from './roles';
import { settled } from './search-ready';
import type { Setting } from './setting';
import { measureCreation, measureThroughput } from './throughput';

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
      startService(services, options.dataDir, data.measured, env);
    const { connections, rounds, requests, samples } = options;
    const bare = await startBare(services.databaseUrl, data.measured);
    const setting: Setting = {
      data,
      databaseUrl: services.databaseUrl,
      service: await start({}),
      start,
      bare,
      authorization: `Bearer ${data.measured.token}`,
      load: { connections, rounds, requests, postmaster: postmasterOf(options.dataDir) },
      samples,
    };
    try {
      await settled(services);
      const findings: Finding[] = [];
      const memory = setting.service.watchMemory();
      const since = performance.now();
      for (const part of options.only ? [options.only] : (Object.keys(parts) as Part[])) {
        process.stderr.write(`Measuring ${part}, after ${seconds(since)} s.\n`);
        findings.push(...(await parts[part](setting)).map(told));
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
      rounds: { type: 'string', default: '5' },
      connections: { type: 'string', default: '16' },
      // Fewer take hardly longer than connecting does, which makes rates equal that are not.
      requests: { type: 'string', default: '5000' },
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
    rounds: positive('rounds', values.rounds),
    connections: positive('connections', values.connections),
    requests: positive('requests', values.requests),
    samples: positive('samples', values.samples),
    // The way to the socket of PostgreSQL is no relative one.
    dataDir: resolve(values['data-dir']),
    only: (only as Part | undefined) ?? null,
  };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} is a whole number from 1 up.`);
  return value;
}

/** Whole seconds since a moment of `performance.now`. */
function seconds(since: number): number {
  return Math.round((performance.now() - since) / 1_000);
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
