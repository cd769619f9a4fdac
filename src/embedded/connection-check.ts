import { Redis } from 'ioredis';
import { Client } from 'pg';
import { errorCode, reasonOf, StartError } from './start-error';

const oldestPostgres = 15;
const oldestRedis = [6, 2] as const;
const timeoutMs = 5000;

/**
 * Connects once, so that a wrong DATABASE_URL is one clear sentence at the start and not an error of every request.
 *
 * @param say told when the role that logs in may do more than the service should; left out where that role owns the tables
 * @throws StartError
 */
export async function checkDatabase(databaseUrl: string, say?: (line: string) => void): Promise<void> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: timeoutMs });
  // A server that goes away in between reports it here as well; without a listener that would end the process.
  client.on('error', () => undefined);
  let version: number;
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number }>(
      `SELECT current_setting('server_version_num')::int / 10000 AS version`,
    );
    version = rows[0]?.version ?? 0;
    const excess = say && (await excessOf((sql) => client.query(sql)));
    if (excess) say(`DATABASE_URL logs in as ${excess}.`);
  } catch (error) {
    throw new StartError(whyNoDatabase(databaseUrl, error));
  } finally {
    await client.end().catch(() => undefined);
  }
  if (version < oldestPostgres) {
    throw new StartError(`DATABASE_URL leads to PostgreSQL ${version}; version ${oldestPostgres} or newer is needed.`);
  }
}

/**
 * What the role that logs in may do beyond row-level security; null when nothing. Requests run as `helpdesk_app`, but
 * SQL could go back from there.
 */
export async function excessOf(
  query: (sql: string) => Promise<{ rows: { name: string; superuser: boolean; bypasses: boolean }[] }>,
): Promise<string | null> {
  const { rows } = await query(
    `SELECT rolname AS name, rolsuper AS superuser, rolbypassrls AS bypasses FROM pg_roles WHERE rolname = session_user`,
  );
  const [role] = rows;
  if (!role?.superuser && !role?.bypasses) return null;
  const what = role.superuser ? 'is a superuser' : 'may bypass row-level security';
  return `"${role.name}", which ${what}; give it a role that owns nothing, and the owner to MIGRATE_DATABASE_URL`;
}

/**
 * Connects once to the Redis of REDIS_URL. One that does not answer is no reason not to start: a process that is
 * restarted during an outage does without Redis like those that were running.
 *
 * @param say told when Redis does not answer
 * @throws StartError when REDIS_URL itself cannot be right
 */
export async function checkRedis(redisUrl: string, say: (line: string) => void): Promise<void> {
  const { failure, version } = await askRedis(redisUrl);
  if (failure !== null) {
    const { host } = new URL(redisUrl);
    if (/WRONGPASS|NOAUTH|AUTH/.test(failure.message))
      throw new StartError(`Redis at ${host} refuses the password; correct the user or the password in REDIS_URL.`);
    if (['ENOTFOUND', 'EAI_AGAIN'].includes(errorCode(failure) ?? ''))
      throw new StartError(
        `The host ${host} of REDIS_URL is unknown; correct it, or unset REDIS_URL for the embedded Redis.`,
      );
    say(
      `No Redis answers at ${host} (${reasonOf(failure)}); starting without it until it does. ` +
        `If it never does, correct REDIS_URL, or unset it for the embedded one.`,
    );
    return;
  }
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < oldestRedis[0] || (major === oldestRedis[0] && minor < oldestRedis[1])) {
    throw new StartError(`REDIS_URL leads to Redis ${version}; version ${oldestRedis.join('.')} or newer is needed.`);
  }
}

/** One connection attempt and one INFO; never rejects. */
export async function askRedis(redisUrl: string): Promise<{ failure: Error | null; version: string }> {
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    // Its timer would keep a finished program from exiting for the two seconds of the default.
    disconnectTimeout: 100,
  });
  const errors: Error[] = [];
  redis.on('error', (error: Error) => errors.push(error));
  try {
    await redis.connect();
    const info = await redis.info('server');
    return { failure: null, version: /^redis_version:(\S+)/m.exec(info)?.[1] ?? '' };
  } catch (error) {
    // "Connection is closed." says less than the error event before it.
    return { failure: errors[0] ?? new Error(reasonOf(error)), version: '' };
  } finally {
    redis.disconnect();
  }
}

function whyNoDatabase(databaseUrl: string, error: unknown): string {
  const { host, pathname, username } = new URL(databaseUrl);
  const database = decodeURIComponent(pathname.slice(1));
  switch (errorCode(error)) {
    case '28P01':
    case '28000':
      return `PostgreSQL at ${host} refuses user "${username}"; correct the user or the password in DATABASE_URL.`;
    case '3D000':
      return `PostgreSQL at ${host} has no database "${database}"; create it with CREATE DATABASE, or correct DATABASE_URL.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host ${host} of DATABASE_URL is unknown; correct it, or unset DATABASE_URL for the embedded PostgreSQL.`;
    case 'ECONNREFUSED':
      return `No PostgreSQL answers at ${host}; start it and correct DATABASE_URL, or unset DATABASE_URL for the embedded one.`;
    default:
      return `PostgreSQL at ${host} cannot be used (${reasonOf(error)}); correct DATABASE_URL or unset it for the embedded one.`;
  }
}
