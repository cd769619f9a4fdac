import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { createApp } from '../../src/app';
import { openSession } from '../../src/cli/session';
import { loadConfig, projectRoot } from '../../src/config';
import { startBenchServices } from './bench-services';
import { readBigintsAsNumbers } from '../../src/platform/database/data-source';
import { quantile } from './load';
import { type Finding, milliseconds, report } from './report';
import { migrate } from '../support/migrate';

const WARM_UP = 20;
const DAYS = 31;

/** What finding the free slots of a month costs over HTTP, one request after the other, with busy hosts. */
export async function runAvailability(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      hosts: { type: 'string', default: '10' },
      meetings: { type: 'string', default: '1000' },
      requests: { type: 'string', default: '200' },
      'data-dir': { type: 'string', default: join(projectRoot, '.data', 'bench') },
    },
  });
  const [hosts, meetings, requests] = [Number(values.hosts), Number(values.meetings), Number(values.requests)];
  const dataDir = values['data-dir'];
  const services = await startBenchServices(dataDir);
  readBigintsAsNumbers();
  const client = new Client({ connectionString: services.databaseUrl });
  try {
    await migrate(services.migrateDatabaseUrl);
    await client.connect();
    const config = { ...loadConfig({ PORT: '0', ROLE: 'api', LOG_LEVEL: 'warn', DATA_DIR: dataDir }), ...services };
    const app = await createApp(config);
    try {
      await app.listen(0, '127.0.0.1');
      const { id, token } = await makeWorkspace(services.databaseUrl, dataDir);
      const types = await fill(client, id, hosts, meetings);
      const url = await app.getUrl();
      const findings: Finding[] = [];
      for (const [name, type] of Object.entries(types))
        findings.push(...(await measure(url, token, name, type, requests)));
      return report('availability', findings, { hosts, meetings, requests, days: DAYS, node: process.version });
    } finally {
      await app.close();
    }
  } finally {
    await client.end();
    await services.stop();
  }
}

function makeWorkspace(databaseUrl: string, dataDir: string): Promise<{ id: number; token: string }> {
  return openSession({ dataDir }, databaseUrl, async ({ provisioning, tokens }) => {
    const { id } = await provisioning.createWorkspace({ name: `bench-availability-${Date.now()}`, plan: 'enterprise' });
    const { token } = await tokens.create({ workspaceId: id, scopes: ['*'] });
    return { id, token };
  });
}

/** Hosts, a type of each kind, and for each host meetings of 20 minutes all over the month to come: the worst case. */
async function fill(
  client: Client,
  workspace: number,
  hosts: number,
  meetings: number,
): Promise<Record<string, number>> {
  const { rows: users } = await client.query<{ id: number }>(
    `INSERT INTO users (workspace_id, name, email, timezone)
     SELECT $1, 'Host ' || n, 'host' || n || '@bench.example', (ARRAY['Europe/Berlin', 'America/New_York', 'Asia/Tokyo'])[1 + n % 3]
     FROM generate_series(1, $2::integer) n RETURNING id`,
    [workspace, hosts],
  );
  const ids = users.map(({ id }) => id);
  await client.query(
    `WITH m AS (
       INSERT INTO meetings (workspace_id, title, starts_at, ends_at, duration_minutes, timezone, host_id, host_ids, ical_uid)
       SELECT $1, 'Busy', s.at, s.at + interval '20 minutes', 20, 'UTC', h.id, ARRAY[h.id], gen_random_uuid()::text
       FROM unnest($2::bigint[]) AS h (id), generate_series(0, $3::integer - 1) n,
         LATERAL (SELECT date_trunc('day', now()) + n * interval '${DAYS} days' / $3::integer AS at) s
       RETURNING workspace_id, id, host_id, starts_at, ends_at
     ) INSERT INTO meeting_hosts (workspace_id, meeting_id, host_id, starts_at, blocked_from, blocked_until, holds, counts, forced)
       SELECT workspace_id, id, host_id, starts_at, starts_at, ends_at, true, true, false FROM m`,
    [workspace, ids, meetings],
  );
  await client.query(`VACUUM ANALYZE meeting_hosts`);
  const types: Record<string, number> = {};
  for (const scheduling of ['round_robin', 'collective']) {
    const { rows } = await client.query<{ id: number }>(
      `INSERT INTO meeting_types (workspace_id, name, slug, duration_minutes, scheduling, host_ids, schedule)
       VALUES ($1, $2, $3, 15, $2, $4, '{"mode":"24x7","timezone":"Europe/Berlin"}') RETURNING id`,
      [workspace, scheduling, scheduling.replace('_', '-'), ids],
    );
    types[scheduling] = rows[0]?.id ?? 0;
  }
  return types;
}

async function measure(url: string, token: string, name: string, type: number, requests: number): Promise<Finding[]> {
  const from = new Date().toISOString().slice(0, 10);
  const to = new Date(Date.now() + (DAYS - 1) * 86_400_000).toISOString().slice(0, 10);
  const target = `${url}/v1/meetings/availability?type_id=${type}&from=${from}&to=${to}&timezone=Europe/Berlin`;
  const times: number[] = [];
  let slots = 0;
  for (let request = 0; request < WARM_UP + requests; request++) {
    const began = performance.now();
    const response = await fetch(target, { headers: { authorization: `Bearer ${token}` } });
    const text = await response.text();
    if (request >= WARM_UP) times.push(performance.now() - began);
    if (response.status !== 200) throw new Error(`${response.status}: ${text.slice(0, 300)}`);
    slots = (JSON.parse(text) as { data: { slots: unknown[] } }).data.slots.length;
  }
  return [0.5, 0.95].map((share) => {
    const value = quantile(times, share);
    return {
      name: `${name}: a month, p${share * 100} in ms`,
      service: milliseconds(value),
      beside: `${slots} slots`,
      value,
      target: share === 0.95 ? { most: 50 } : null,
    };
  });
}
