import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { ConfigError, oneOf, text, wholeNumber } from './config-values';
import { type FileConfig, fileConfig } from './file-config';
import { type MailConfig, mailConfig } from './mail-config';

/** Which parts of the service this process runs: the HTTP API, the background workers, or both. */
export type Role = 'all' | 'api' | 'worker';

const roles: readonly Role[] = ['all', 'api', 'worker'];
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** How log lines look: for people, for programs, or for whoever reads (a terminal or not). */
export type LogFormat = 'auto' | 'pretty' | 'json';
const logFormats: readonly LogFormat[] = ['auto', 'pretty', 'json'];

/** Where PostgreSQL and Redis answer, whoever started them. */
export interface ServiceUrls {
  /** As the role that the service logs in as. */
  databaseUrl: string;
  /** The same database as the role that owns the tables: for migrations and bulk loads alone. */
  migrateDatabaseUrl: string;
  redisUrl: string;
}

/** Everything the environment may decide, validated once at boot. Null means "not set". */
export interface Config extends MailConfig {
  /** TCP port of the API, 0 = any free one. */
  readonly port: number;
  readonly host: string;
  /** Absolute path; embedded PostgreSQL and Redis keep their files below it. */
  readonly dataDir: string;
  readonly role: Role;
  /** Processes that answer requests behind the one port; 1 = this one alone. Always 1 where the role answers none. */
  readonly clusterWorkers: number;
  /** Null = embedded PostgreSQL. */
  readonly databaseUrl: string | null;
  /** The owner of the tables, where that is not the user of `databaseUrl`. */
  readonly migrateDatabaseUrl: string | null;
  /** Null = embedded Redis. */
  readonly redisUrl: string | null;
  /** Base of absolute links, without a trailing slash. Null = the address it listens on. */
  readonly publicUrl: string | null;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  /** False: NO_COLOR is set (https://no-color.org). */
  readonly colour: boolean;
  /** Connections each process may hold to PostgreSQL: its part of DATABASE_POOL_SIZE. */
  readonly databasePoolSize: number;
  /** Longest wait for one of them, new or free again. */
  readonly databaseWaitMs: number;
  /** Longest wait of a request for Redis; its node limits by itself then. */
  readonly redisWaitMs: number;
  readonly shutdownTimeoutSeconds: number;
  /** Address ranges (CIDR) that webhooks may reach although they are not public; empty = none. */
  readonly webhookAllowCidrs: readonly string[];
  /** Ranges that providers of the AI engine may be in although they are not public. */
  readonly aiAllowCidrs: readonly string[];
  /** The same of LDAP servers of directories, which are mostly in one's own network. */
  readonly directoryAllowCidrs: readonly string[];
  /** The same of services that migrations read. */
  readonly migrationAllowCidrs: readonly string[];
  /** 32 bytes that encrypt secrets kept in the database. Null = made once and kept in `dataDir`. */
  readonly secretsKey: Buffer | null;
  /** Requests that one address may make of the pages for people without a token, in any 60 seconds; 0 = unlimited. */
  readonly pageRateLimit: number;
  /** Addresses (CIDR) of proxies whose X-Forwarded-For is believed; empty = none. */
  readonly trustProxy: readonly string[];
  /** Origins whose pages may call the API; `any` of them, or `none`. Pages never send credentials of their own. */
  readonly corsOrigins: 'any' | 'none' | readonly string[];
  /** Where files of records are kept, and how many. */
  readonly files: FileConfig;
  /** Packages and folders of plug-ins; null = those that `helpdesk.config.js` or `.json` names. */
  readonly plugins: readonly string[] | null;
  /** The version in package.json. */
  readonly version: string;
}

/** The folder that holds package.json, from `src/` as well as from `dist/src/`. */
export const projectRoot = findProjectRoot(__dirname);

/**
 * Reads and validates the configuration.
 *
 * @param env variables to read; by default the process's own, completed (never overridden) by `.env` at the project root
 * @param cores of the machine
 * @throws ConfigError naming the variable and the accepted values
 */
export function loadConfig(env: NodeJS.ProcessEnv = processEnvironment(), cores = availableParallelism()): Config {
  const dataDir = resolve(projectRoot, text(env, 'DATA_DIR') ?? '.data');
  const role = oneOf(env, 'ROLE', roles, 'all');
  return Object.freeze({
    port: wholeNumber(env, 'PORT', 3000, 0, 65_535),
    host: hostName(env),
    dataDir,
    role,
    ...processes(env, role, cores),
    databaseUrl: databaseUrl(env, 'DATABASE_URL'),
    migrateDatabaseUrl: migrateDatabaseUrl(env),
    redisUrl: redisUrl(env),
    publicUrl: publicUrl(env),
    logLevel: oneOf(env, 'LOG_LEVEL', logLevels, 'info'),
    logFormat: oneOf(env, 'LOG_FORMAT', logFormats, 'auto'),
    colour: text(env, 'NO_COLOR') === null,
    databaseWaitMs: wholeNumber(env, 'DATABASE_WAIT_MS', 2000, 100, 600_000),
    redisWaitMs: wholeNumber(env, 'REDIS_WAIT_MS', 150, 10, 10_000),
    shutdownTimeoutSeconds: wholeNumber(env, 'SHUTDOWN_TIMEOUT_SECONDS', 10, 1, 600),
    webhookAllowCidrs: cidrs(env, 'WEBHOOK_ALLOW_CIDRS'),
    aiAllowCidrs: cidrs(env, 'AI_ALLOW_CIDRS'),
    directoryAllowCidrs: cidrs(env, 'DIRECTORY_ALLOW_CIDRS'),
    migrationAllowCidrs: cidrs(env, 'MIGRATION_ALLOW_CIDRS'),
    secretsKey: secretsKey(env),
    ...mailConfig(env),
    pageRateLimit: wholeNumber(env, 'PAGE_RATE_LIMIT_PER_MINUTE', 300, 0, 1_000_000),
    trustProxy: cidrs(env, 'TRUST_PROXY'),
    corsOrigins: corsOrigins(env),
    files: fileConfig(env, dataDir),
    plugins: plugins(env),
    version: packageVersion(),
  });
}

function processEnvironment(): NodeJS.ProcessEnv {
  const file = join(projectRoot, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
  return process.env;
}

/** Processes by themselves at most so many: PostgreSQL usually works on the same machine. */
const MOST_BY_DEFAULT = 8;
/** Connections of one process, and of all together, where DATABASE_POOL_SIZE says nothing. */
const POOL = { ofOne: 10, ofAll: 60, least: 4 };

/** How many processes answer requests, and each one's part of the connections. */
function processes(
  env: NodeJS.ProcessEnv,
  role: Role,
  cores: number,
): Pick<Config, 'clusterWorkers' | 'databasePoolSize'> {
  const pool = wholeNumber(env, 'DATABASE_POOL_SIZE', 0, 2, 1000);
  const most = pool === 0 ? MOST_BY_DEFAULT : Math.min(MOST_BY_DEFAULT, Math.floor(pool / POOL.least));
  const fitting = Math.max(1, Math.min(most, Math.floor(cores / 2)));
  const asked = wholeNumber(env, 'CLUSTER_WORKERS', fitting, 1, 64);
  const clusterWorkers = role === 'worker' ? 1 : asked;
  const least = 2 * clusterWorkers;
  if (pool !== 0 && pool < least) {
    throw new ConfigError(
      `DATABASE_POOL_SIZE is ${pool}, but ${clusterWorkers} processes need ${least}, two each; raise it, or lower CLUSTER_WORKERS.`,
    );
  }
  const own = Math.max(POOL.least, Math.min(POOL.ofOne, Math.floor(POOL.ofAll / clusterWorkers)));
  return { clusterWorkers, databasePoolSize: pool === 0 ? own : Math.floor(pool / clusterWorkers) };
}

function hostName(env: NodeJS.ProcessEnv): string {
  const value = text(env, 'HOST') ?? '127.0.0.1';
  if (!/^[\w.:%-]+$/.test(value)) {
    throw new ConfigError(`HOST must be an address or a host name such as 127.0.0.1 or 0.0.0.0, but is "${value}".`);
  }
  return value;
}

/** Messages never repeat a service URL: it carries a password. */
function databaseUrl(env: NodeJS.ProcessEnv, name: string): string | null {
  const value = text(env, name);
  if (value === null) return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !['postgres:', 'postgresql:'].includes(url.protocol) || url.pathname.length < 2) {
    throw new ConfigError(
      `${name} must look like postgresql://user:password@host:5432/database; leave it unset for the embedded PostgreSQL.`,
    );
  }
  return value;
}

function migrateDatabaseUrl(env: NodeJS.ProcessEnv): string | null {
  const value = databaseUrl(env, 'MIGRATE_DATABASE_URL');
  if (value !== null && text(env, 'DATABASE_URL') === null)
    throw new ConfigError('MIGRATE_DATABASE_URL needs DATABASE_URL; leave both unset for the embedded PostgreSQL.');
  return value;
}

function redisUrl(env: NodeJS.ProcessEnv): string | null {
  const value = text(env, 'REDIS_URL');
  if (value === null) return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !['redis:', 'rediss:'].includes(url.protocol) || url.hostname === '') {
    throw new ConfigError(
      'REDIS_URL must look like redis://:password@host:6379/0; leave it unset for the embedded Redis.',
    );
  }
  return value;
}

function publicUrl(env: NodeJS.ProcessEnv): string | null {
  const value = text(env, 'PUBLIC_URL');
  if (value === null) return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  const plain = url !== null && url.search === '' && url.hash === '' && url.username === '';
  if (!plain || !['http:', 'https:'].includes(url.protocol)) {
    throw new ConfigError(`PUBLIC_URL must look like https://helpdesk.example.com, but is "${value}".`);
  }
  return url.href.replace(/\/+$/, '');
}

function cidrs(env: NodeJS.ProcessEnv, name: string): string[] {
  const ranges = (text(env, name) ?? '').split(',').map((range) => range.trim());
  for (const range of ranges) {
    const [address = '', bits = ''] = range.split('/');
    const width = isIP(address) === 4 ? 32 : 128;
    if (range !== '' && !(isIP(address) && /^\d{1,3}$/.test(bits) && Number(bits) <= width)) {
      throw new ConfigError(`${name} must list ranges such as 127.0.0.1/32, 10.1.0.0/16, but has "${range}".`);
    }
  }
  return ranges.filter((range) => range !== '');
}

function plugins(env: NodeJS.ProcessEnv): string[] | null {
  const names = text(env, 'HELPDESK_PLUGINS')?.split(',');
  return names?.map((name) => name.trim()).filter((name) => name !== '') ?? null;
}

function corsOrigins(env: NodeJS.ProcessEnv): Config['corsOrigins'] {
  const value = text(env, 'CORS_ORIGINS') ?? 'any';
  if (value === '*' || value === 'any') return 'any';
  if (value === 'none') return 'none';
  return value.split(',').map((item) => {
    const origin = item.trim().replace(/\/$/, '');
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new ConfigError(
        `CORS_ORIGINS must be any, none, or origins such as https://app.example.com, but has "${item.trim()}".`,
      );
    }
    return origin;
  });
}

function secretsKey(env: NodeJS.ProcessEnv): Buffer | null {
  const value = text(env, 'SECRETS_KEY');
  if (value === null) return null;
  if (!/^[0-9a-f]{64}$/i.test(value)) {
    throw new ConfigError('SECRETS_KEY must be 64 hexadecimal digits; `openssl rand -hex 32` prints some.');
  }
  return Buffer.from(value, 'hex');
}

function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string };
  return manifest.version;
}

function findProjectRoot(from: string): string {
  if (existsSync(join(from, 'package.json'))) return from;
  const parent = dirname(from);
  if (parent === from) throw new ConfigError('package.json is missing; run this inside a complete checkout.');
  return findProjectRoot(parent);
}
