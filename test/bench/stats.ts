import { join } from 'node:path';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import type { Client } from 'pg';
import { openSession } from '../../src/cli/session';
import { seedWorkspace } from '../../src/cli/seed/workspace';
import { projectRoot } from '../../src/config';
import { startBenchServices } from './bench-services';
import { withClient } from './bench-data';
import { Child } from './child';
import { cpuSeconds } from './cpu';
import { Probe, quantile } from './load';
import { createProgressLine } from './progress-line';
import { type Finding, milliseconds, report } from './report';
import { migrate } from '../support/migrate';

const PLAN = {
  key: 'bench',
  rate_limit_per_minute: 10_000_000,
  monthly_quota: 1_000_000_000_000,
  overage_enabled: true,
};
const DAY_MS = 86_400_000;
const WARM_UP = 8;
/** Creations of each run, with and without the triggers in turns. */
const CREATIONS = 400;

/** What `GET /stats` takes, by kind of query, in a workspace of many tickets; and what its triggers add to a creation. */
export async function runStats(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      tickets: { type: 'string', default: '1000000' },
      samples: { type: 'string', default: '100' },
      rounds: { type: 'string', default: '6' },
      'data-dir': { type: 'string', default: join(projectRoot, '.data', 'bench-stats') },
    },
  });
  const [tickets, samples, rounds] = [Number(values.tickets), Number(values.samples), Number(values.rounds)];
  const dataDir = values['data-dir'];
  const services = await startBenchServices(dataDir);
  try {
    await migrate(services.migrateDatabaseUrl);
    const { id, token } = await makeWorkspace(services.databaseUrl, dataDir, tickets);
    const env = {
      DATABASE_URL: services.databaseUrl,
      REDIS_URL: services.redisUrl,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      ROLE: 'all',
    };
    const service = await Child.start(join(projectRoot, 'dist', 'src', 'main.js'), env, '/v1/health');
    try {
      return await withClient(services.databaseUrl, async (client) => {
        const findings = [
          ...(await measureQueries(client, service, id, token, samples)),
          ...(await measureCreations(client, service, services.databaseUrl, dataDir, rounds)),
        ];
        return report('stats', findings, { tickets, samples, rounds, node: process.version });
      });
    } finally {
      await service.stop();
    }
  } finally {
    await services.stop();
  }
}

async function makeWorkspace(
  databaseUrl: string,
  dataDir: string,
  tickets: number,
): Promise<{ id: number; token: string }> {
  const slug = `bench-stats-${tickets}`;
  return openSession({ dataDir }, databaseUrl, async ({ plans, provisioning, tokens }) => {
    await plans.put(PLAN);
    const known = await provisioning.findWorkspace(slug);
    const { id } = known ?? (await provisioning.createWorkspace({ name: slug, slug, plan: PLAN.key }));
    if (!known && tickets > 0) {
      const progress = createProgressLine('Seeding');
      const { seconds } = await seedWorkspace({ databaseUrl, workspaceId: id, tickets, comments: true, progress });
      console.log(`${tickets} tickets in ${seconds} s.`);
    }
    return { id, token: (await tokens.create({ workspaceId: id, scopes: ['*'], name: 'Bench' })).token };
  });
}

/** Queries of `/stats` by name: everything, the busiest team and assignee, in windows of every kind. */
export async function statsQueries(client: Client, workspace: number): Promise<Record<string, string>> {
  const busiest = async (column: string): Promise<number> => {
    const { rows } = await client.query<{ id: number }>(
      `SELECT ${column} AS id FROM tickets WHERE workspace_id = $1 AND ${column} IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC LIMIT 1`,
      [workspace],
    );
    return rows[0]?.id ?? 0;
  };
  const [team, user] = [await busiest('team_id'), await busiest('assigned_to')];
  const moment = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
  const day = (days: number): string => moment(days).slice(0, 10);
  return {
    everything: '',
    'by team': `team_id=${team}`,
    'by assignee': `assigned_to=${user}`,
    'by team and assignee': `team_id=${team}&assigned_to=${user}`,
    'the last 30 days': `from=${day(30)}`,
    'a year, with parts of days': `from=${moment(400.3)}&to=${moment(35.6)}`,
    'by team, the last 30 days': `team_id=${team}&from=${day(30)}`,
    'by team, a year': `team_id=${team}&from=${day(400)}&to=${day(35)}`,
    'by assignee, a year': `assigned_to=${user}&from=${day(400)}&to=${day(35)}`,
  };
}

/** What each kind of query takes alone. */
async function measureQueries(
  client: Client,
  service: Child,
  workspace: number,
  token: string,
  samples: number,
): Promise<Finding[]> {
  const kinds = await statsQueries(client, workspace);
  const probe = new Probe({ authorization: `Bearer ${token}` });
  const findings: Finding[] = [];
  try {
    for (const [name, query] of Object.entries(kinds)) {
      const url = `${service.url}/v1/stats?${query}`;
      await probe.latency(Array.from({ length: WARM_UP }, () => url));
      const before = await cpu(client, service);
      const { p50, p95 } = await probe.latency(Array.from({ length: samples }, () => url));
      const spent = ((await cpu(client, service)) - before) * 1_000;
      findings.push({
        name: `${name}, p95 in ms`,
        service: `p50 ${milliseconds(p50)}`,
        beside: `CPU ${milliseconds(spent / samples)}`,
        value: p95,
        target: { most: 20 },
      });
    }
    return findings;
  } finally {
    probe.close();
  }
}

/** CPU per creation of the service and of PostgreSQL's connections, with the triggers of the statistics and without, in turns. */
async function measureCreations(
  client: Client,
  service: Child,
  databaseUrl: string,
  dataDir: string,
  rounds: number,
): Promise<Finding[]> {
  const { token } = await openSession({ dataDir }, databaseUrl, async ({ provisioning, tokens }) => {
    const { id } = await provisioning.createWorkspace({ name: `bench-stats-writes-${Date.now()}`, plan: PLAN.key });
    return tokens.create({ workspaceId: id, scopes: ['*'], name: 'Bench' });
  });
  const ratios: { cpu: number; rate: number }[] = [];
  const costs: number[] = [];
  try {
    await create(service, token);
    for (let round = 0; round < rounds; round++) {
      const order = round % 2 === 0 ? (['DISABLE', 'ENABLE'] as const) : (['ENABLE', 'DISABLE'] as const);
      const measured: Record<string, { cpu: number; rate: number }> = {};
      for (const which of order) {
        await switchTriggers(client, which);
        const before = await cpu(client, service);
        const rate = await create(service, token);
        measured[which] = { cpu: ((await cpu(client, service)) - before) / CREATIONS, rate };
      }
      const [off, on] = [measured.DISABLE, measured.ENABLE];
      if (!off || !on) continue;
      ratios.push({ cpu: on.cpu / off.cpu, rate: off.rate / on.rate });
      costs.push(on.cpu * 1_000);
    }
  } finally {
    await switchTriggers(client, 'ENABLE');
  }
  const median = (values: number[]): number => quantile(values, 0.5);
  return [
    {
      name: 'CPU of a creation, with the triggers beside without',
      service: `${milliseconds(median(costs))} with`,
      value: median(ratios.map((ratio) => ratio.cpu)),
      target: { most: 1.05 },
    },
    {
      name: 'time of a creation, with the triggers beside without',
      service: '',
      value: median(ratios.map((ratio) => ratio.rate)),
      target: null,
    },
  ];
}

/** Answers creations per second. */
async function create(service: Child, token: string): Promise<number> {
  const body = JSON.stringify({
    subject: 'Printer on floor 3 is jammed',
    description: 'It blinks.',
    priority: 'high',
  });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const requests = [{ method: 'POST' as const, path: '/v1/tickets', headers, body }];
  const result = await autocannon({ url: service.url, requests, connections: 4, amount: CREATIONS });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx + result.errors} creations failed.`);
  return result['2xx'] / result.duration;
}

async function switchTriggers(client: Client, which: 'ENABLE' | 'DISABLE'): Promise<void> {
  await client.query(`
    ALTER TABLE tickets ${which} TRIGGER tickets_stats_insert, ${which} TRIGGER tickets_stats_update;
    ALTER TABLE sla_clocks ${which} TRIGGER sla_clocks_count_insert, ${which} TRIGGER sla_clocks_count_update;
  `);
}

/** CPU seconds of the service and of the connections it has to PostgreSQL, the folding included. */
async function cpu(client: Client, service: Child): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  );
  return cpuSeconds([service.pid, ...rows.map(({ pid }) => pid)]);
}
