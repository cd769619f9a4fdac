import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { createApp } from '../../src/app';
import { openSession } from '../../src/cli/session';
import { seedWorkspace } from '../../src/cli/seed/workspace';
import { loadConfig, projectRoot } from '../../src/config';
import { startBenchServices } from './bench-services';
import { readBigintsAsNumbers } from '../../src/platform/database/data-source';
import { PeriodicJobs } from '../../src/platform/schedule/periodic-jobs';
import { Child } from './child';
import { quantile } from './load';
import { createProgressLine } from './progress-line';
import { type Finding, milliseconds, report } from './report';
import { migrate } from '../support/migrate';

const SWEEPS = 50;
const HEAD_START_S = 5;
/** How long the breaches may take, and how long they are watched for a second event of one. */
const PATIENCE_MS = 60_000;
const AFTERMATH_MS = 5_000;

interface Urls {
  databaseUrl: string;
  redisUrl: string;
}

/** What a sweep costs beside many running clocks, and how many breaches at one moment are told, once each. */
export async function runSla(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      tickets: { type: 'string', default: '100000' },
      breaches: { type: 'string', default: '1000' },
      'data-dir': { type: 'string', default: join(projectRoot, '.data', 'bench-sla') },
    },
  });
  const [tickets, breaches, dataDir] = [Number(values.tickets), Number(values.breaches), values['data-dir']];
  const services = await startBenchServices(dataDir);
  readBigintsAsNumbers();
  const client = new Client({ connectionString: services.databaseUrl });
  try {
    await migrate(services.migrateDatabaseUrl);
    await client.connect();
    const workspace = await makeWorkspace(services.databaseUrl, dataDir, tickets);
    const clocks = await startClocks(client, workspace);
    const findings = [
      { name: 'running clocks', service: '', value: clocks, target: { least: tickets } },
      ...(await measureSweeps(services, dataDir)),
      ...(await measureBreaches(client, services, dataDir, workspace, breaches)),
    ];
    return report('sla', findings, { tickets, breaches, node: process.version });
  } finally {
    await client.end();
    await services.stop();
  }
}

function makeWorkspace(databaseUrl: string, dataDir: string, tickets: number): Promise<number> {
  return openSession({ dataDir }, databaseUrl, async ({ provisioning }) => {
    const { id } = await provisioning.createWorkspace({ name: `bench-sla-${Date.now()}` });
    const progress = createProgressLine('Seeding');
    await seedWorkspace({ databaseUrl, workspaceId: id, tickets, comments: false, progress });
    return id;
  });
}

/** Every ticket of the workspace is open and has two clocks with a day to go; clocks of earlier runs are gone. */
async function startClocks(client: Client, workspace: number): Promise<number> {
  await client.query(`DELETE FROM sla_clocks`);
  await client.query(
    `UPDATE tickets t SET status = 'open', resolved_at = NULL, closed_at = NULL, on_hold_until = NULL, on_hold_reason = NULL, sla_status = 'on_track',
       sla_policy_id = (SELECT id FROM sla_policies p WHERE p.workspace_id = t.workspace_id AND p.is_default)
     WHERE workspace_id = $1`,
    [workspace],
  );
  const { rowCount } = await client.query(
    `INSERT INTO sla_clocks (workspace_id, ticket_id, policy_id, policy_version, metric, priority_applied, target_seconds, started_at, due_at, at_risk_at, next_check_at)
     SELECT t.workspace_id, t.id, p.id, p.version, metric, t.priority, 86400, now(), now() + interval '24 hours', now() + interval '20 hours', now() + interval '20 hours'
     FROM tickets t JOIN sla_policies p ON p.workspace_id = t.workspace_id AND p.id = t.sla_policy_id,
       unnest(ARRAY['first_response', 'resolution']) AS metric
     WHERE t.workspace_id = $1`,
    [workspace],
  );
  await client.query(`VACUUM ANALYZE sla_clocks`);
  await client.query(`VACUUM ANALYZE tickets`);
  return rowCount ?? 0;
}

/** The whole job as its timer runs it: lock, sweep, commit. */
async function measureSweeps({ databaseUrl, redisUrl }: Urls, dataDir: string): Promise<Finding[]> {
  const config = loadConfig({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent', ROLE: 'api' });
  const app = await createApp({ ...config, databaseUrl, migrateDatabaseUrl: databaseUrl, redisUrl });
  await app.init();
  try {
    const jobs = app.get(PeriodicJobs);
    const times: number[] = [];
    for (let run = 0; run < SWEEPS + 5; run++) {
      const began = performance.now();
      await jobs.runNow('sla-sweep');
      if (run >= 5) times.push(performance.now() - began);
    }
    times.sort((a, b) => a - b);
    return [sweep('p50', quantile(times, 0.5), null), sweep('slowest', times.at(-1) ?? NaN, { most: 50 })];
  } finally {
    await app.close();
  }
}

const sweep = (which: string, ms: number, target: Finding['target']): Finding => ({
  name: `a sweep with nothing due, ${which}, in ms`,
  service: milliseconds(ms),
  value: ms,
  target,
});

async function measureBreaches(
  client: Client,
  { databaseUrl, redisUrl }: Urls,
  dataDir: string,
  workspace: number,
  breaches: number,
): Promise<Finding[]> {
  const env = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, DATA_DIR: dataDir, LOG_LEVEL: 'warn', ROLE: 'all' };
  const start = (): Promise<Child> => Child.start(join(projectRoot, 'dist', 'src', 'main.js'), env, '/v1/health');
  const workers = await Promise.all([start(), start()]);
  try {
    const due = await letThemBreach(client, workspace, breaches);
    await sleep(due - Date.now());
    let told = 0;
    let last = Date.now();
    while (told < breaches && Date.now() - due < PATIENCE_MS) {
      told = (await events(client, workspace)).length;
      last = Date.now();
      await sleep(25);
    }
    await sleep(AFTERMATH_MS);
    const all = await events(client, workspace);
    const seconds = (last - due) / 1_000;
    return [
      {
        name: `${breaches} breaches of one moment, to the last event, in s`,
        service: `${seconds.toFixed(2)} s`,
        value: seconds,
        target: { most: 10 },
      },
      { name: 'tickets without the event', service: '', value: breaches - new Set(all).size, target: { most: 0 } },
      { name: 'events told twice', service: '', value: all.length - new Set(all).size, target: { most: 0 } },
      {
        name: 'clocks with another moment',
        service: '',
        value: await wrong(client, workspace, due),
        target: { most: 0 },
      },
    ];
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
}

/** Answers the moment, in ms. */
async function letThemBreach(client: Client, workspace: number, breaches: number): Promise<number> {
  const due = new Date(Date.now() + HEAD_START_S * 1_000);
  await client.query(
    `UPDATE sla_clocks SET due_at = $2, at_risk_at = $2::timestamptz - interval '1 hour', at_risk_notified = true, next_check_at = $2
     WHERE id IN (SELECT id FROM sla_clocks WHERE workspace_id = $1 AND metric = 'resolution' ORDER BY id LIMIT $3)`,
    [workspace, due, breaches],
  );
  return due.getTime();
}

async function events(client: Client, workspace: number): Promise<number[]> {
  const { rows } = await client.query<{ object_id: number }>(
    `SELECT object_id FROM events WHERE workspace_id = $1 AND type = 'ticket.sla_breach'`,
    [workspace],
  );
  return rows.map(({ object_id }) => object_id);
}

async function wrong(client: Client, workspace: number, due: number): Promise<number> {
  const { rows } = await client.query<{ wrong: number }>(
    `SELECT count(*) AS wrong FROM sla_clocks WHERE workspace_id = $1 AND outcome = 'breached' AND breached_at <> $2`,
    [workspace, new Date(due)],
  );
  return rows[0]?.wrong ?? NaN;
}
