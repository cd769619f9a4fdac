import type { Command } from 'commander';
import { Redis } from 'ioredis';
import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { Client } from 'pg';
import { connectionsOf } from '../cluster/connections';
import { type Config, loadConfig } from '../config';
import { excessOf } from '../embedded/connection-check';
import { checkPort } from '../embedded/ports';
import { attachOrStartServices } from '../embedded/services';
import { keptKey, keyFile, markOf } from '../platform/secrets/secret-box';
import { print, progress, sentence, table } from './output';
import { pendingFiles } from './schema';

interface Finding {
  check: string;
  ok: boolean;
  detail: string;
}

const OLDEST_POSTGRES = 150_000;

/** `helpdesk doctor`: looks at everything the service needs, changes nothing. */
export function registerDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check everything the service needs')
    .action(async (_options: unknown, command: Command) => {
      const findings = await examine(progress(command));
      const ok = findings.every((finding) => finding.ok);
      const rows = findings.map(({ check, ok: fine, detail }) => [fine ? 'ok' : 'FAILED', check, detail]);
      print(command, { ok, checks: findings }, table([['', 'CHECK', 'DETAIL'], ...rows]));
      if (!ok)
        throw new Error(`${findings.filter((finding) => !finding.ok).length} of ${findings.length} checks failed`);
    });
}

async function examine(say: (line: string) => void): Promise<Finding[]> {
  const config = loadConfig();
  const findings = [
    await finding('Node.js', () => nodeVersion()),
    await finding('data directory', () => dataDirectory(config)),
    await finding('port', () => port(config)),
  ];
  const services = await attachOrStartServices(config, say).catch((error: unknown) => error as Error);
  if (services instanceof Error) return [...findings, { check: 'services', ok: false, detail: sentence(services) }];
  try {
    findings.push(...(await databaseFindings(services.migrateDatabaseUrl, config)));
    findings.push(await finding('database role', () => loginRole(services.databaseUrl)));
    findings.push(await finding('Redis', () => redisVersion(services.redisUrl)));
  } finally {
    await services.stop();
  }
  return findings;
}

async function finding(check: string, examineIt: () => string | Promise<string>): Promise<Finding> {
  try {
    return { check, ok: true, detail: await examineIt() };
  } catch (error) {
    return { check, ok: false, detail: sentence(error) };
  }
}

function nodeVersion(): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    throw new Error(`${process.version} is too old; install Node.js 20.19 or newer`);
  return process.version;
}

function dataDirectory({ dataDir }: Config): string {
  let nearest = dataDir;
  while (!existsSync(nearest)) nearest = dirname(nearest);
  try {
    accessSync(nearest, constants.W_OK);
  } catch {
    throw new Error(`${nearest} is not writable; set DATA_DIR to a directory this user may write`);
  }
  return dataDir;
}

async function port(config: Config): Promise<string> {
  try {
    await checkPort(config.host, config.port);
    return `${config.host}:${config.port} is free`;
  } catch (error) {
    if (!(await isOurs(config))) throw error;
    return `helpdesk-api answers at ${config.host}:${config.port}`;
  }
}

/** Whether what listens there is this service, which is no reason to complain. */
async function isOurs({ host, port: number }: Config): Promise<boolean> {
  const name = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${number}/v1/health`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => null);
  return answer?.ok === true && answer.headers.get('x-api-version') === 'v1';
}

async function databaseFindings(databaseUrl: string, config: Config): Promise<Finding[]> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  const connected = await finding('PostgreSQL', async () => {
    await client.connect();
    return postgresVersion(client);
  });
  if (!connected.ok) return [connected];
  try {
    return [
      connected,
      await finding('migrations', () => migrationState(client)),
      await finding('row-level security', () => isolation(client)),
      await finding('secrets key', () => secretsKey(client, config)),
      // The embedded one allows as many as are asked for.
      ...(config.databaseUrl === null ? [] : [await finding('connections', () => connections(client, config))]),
    ];
  } finally {
    await client.end();
  }
}

/** The service's own way in: it becomes helpdesk_app from there, and SQL could go back. */
async function loginRole(databaseUrl: string): Promise<string> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const excess = await excessOf((sql) => client.query(sql));
    if (excess !== null) throw new Error(`the service logs in as ${excess}`);
    return decodeURIComponent(new URL(databaseUrl).username);
  } finally {
    await client.end();
  }
}

async function postgresVersion(client: Client): Promise<string> {
  const { rows } = await client.query<{ number: string; text: string }>(
    `SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS text`,
  );
  const [version] = rows;
  if (Number(version?.number) < OLDEST_POSTGRES)
    throw new Error(`PostgreSQL ${version?.text ?? '?'} is too old; use 15 or newer`);
  return version?.text ?? '';
}

async function migrationState(client: Client): Promise<string> {
  const pending = await pendingFiles(client);
  if (pending.length) throw new Error(`pending: ${pending.join(', ')}; run "helpdesk migrate" or start the server`);
  return 'up to date';
}

async function connections(client: Client, config: Config): Promise<string> {
  const most = connectionsOf(config);
  const { rows } = await client.query<{ allowed: number }>(
    `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS allowed`,
  );
  const allowed = rows[0]?.allowed ?? 0;
  if (most > allowed)
    throw new Error(
      `a start here holds up to ${most}, PostgreSQL allows ${allowed}; lower CLUSTER_WORKERS or DATABASE_POOL_SIZE, or raise max_connections`,
    );
  return `a start here holds up to ${most} of ${allowed}`;
}

/** Requests run as helpdesk_app: it must exist, be confined, and every table of a workspace must be forced. */
async function isolation(client: Client): Promise<string> {
  const { rows } = await client.query<{ confined: boolean | null; open: string[] | null; forced: string }>(`
    SELECT (SELECT NOT (rolsuper OR rolbypassrls) FROM pg_roles WHERE rolname = 'helpdesk_app') AS confined,
           array_agg(c.relname::text) FILTER (WHERE NOT (c.relrowsecurity AND c.relforcerowsecurity)) AS open,
           count(*) FILTER (WHERE c.relrowsecurity AND c.relforcerowsecurity) AS forced
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')`);
  const [state] = rows;
  if (!state?.confined) throw new Error('the role helpdesk_app is missing or may bypass it; run "helpdesk migrate"');
  if (state.open) throw new Error(`not forced on: ${state.open.join(', ')}`);
  return `forced on ${state.forced} tables`;
}

/** Secrets in the database are readable with one key only; a node with another one does not start. */
async function secretsKey(client: Client, { secretsKey: given, dataDir }: Config): Promise<string> {
  const from = given ? 'SECRETS_KEY' : keyFile(dataDir);
  if (!given && !existsSync(from)) return `${from} will be made on the first start`;
  const { rows } = await client.query<{ known: boolean }>(
    `SELECT value = $1 AS known FROM platform_facts WHERE name = 'secrets_key'`,
    [markOf(given ?? keptKey(dataDir))],
  );
  if (rows[0]?.known === false) throw new Error(`${from} is not the key that the secrets in this database need`);
  return from;
}

async function redisVersion(redisUrl: string): Promise<string> {
  const redis = new Redis(redisUrl, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    return /redis_version:(\S+)/.exec(await redis.info('server'))?.[1] ?? 'reachable';
  } finally {
    redis.disconnect();
  }
}
