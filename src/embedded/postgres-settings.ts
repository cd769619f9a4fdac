import { statfsSync } from 'node:fs';
import { totalmem } from 'node:os';

const mebibyte = 1024 * 1024;

/** Nothing needs to survive a crash of the machine; what is committed still survives one of PostgreSQL. */
const IN_MEMORY = {
  ...{ fsync: 'off', full_page_writes: 'off', wal_compression: 'off' },
  // The log may be in memory, too.
  ...{ wal_level: 'minimal', max_wal_senders: 0, max_wal_size: '1GB' },
  // Each new statistic makes every connection plan anew, and there is a database for each test that wants one.
  autovacuum_naptime: '60s',
};

/** Connections beside those of the service: of commands and migrations, of people, and three that PostgreSQL keeps for superusers. */
const OTHER_CONNECTIONS = 25;

/** Who may connect: with a password, from this machine, over TCP or by the socket in the data directory. */
export const hostBasedAuthentication = [
  'local all all scram-sha-256',
  'host all all 127.0.0.1/32 scram-sha-256',
  'host replication all 127.0.0.1/32 scram-sha-256',
  '',
].join('\n');

/**
 * The whole `postgresql.conf`, written anew at each start so that it follows the machine; own settings go to `custom.conf` beside it.
 *
 * @param durable false = a crash of the machine may lose the data (tests)
 * @param connections most that the processes of the service hold together
 * @param socket whether it also listens by a socket in its data directory
 */
export function postgresSettings(port: number, durable: boolean, connections: number, socket: boolean): string {
  const memory = memoryMiB();
  const settings: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    // Its working directory.
    unix_socket_directories: socket ? '.' : '',
    unix_socket_permissions: '0700',
    password_encryption: 'scram-sha-256',
    // Test files run side by side, each with its applications and their pools.
    max_connections: Math.max(durable ? 100 : 200, connections + OTHER_CONNECTIONS),

    shared_buffers: `${clamp(memory / 4, 64, durable ? 2048 : 256)}MB`,
    effective_cache_size: `${clamp(memory * 0.6, 128, 65_536)}MB`,
    // What was in memory is noted every five minutes and at the end, and read again at the start.
    shared_preload_libraries: 'pg_prewarm',
    work_mem: '16MB',
    maintenance_work_mem: `${clamp(memory / 16, 64, 512)}MB`,
    dynamic_shared_memory_type: smallSharedMemory() ? 'mmap' : 'posix',

    // Loads are bursts of small writes on solid-state disks: checkpoints may be rare, random reads are cheap.
    max_wal_size: '4GB',
    min_wal_size: durable ? '512MB' : '80MB',
    checkpoint_timeout: '15min',
    checkpoint_completion_target: 0.9,
    wal_compression: 'on',
    random_page_cost: 1.1,
    jit: 'off',

    // Growing tables need fresh visibility maps (index-only scans) well before a fifth of them has changed. Statistics are taken as often as
    // PostgreSQL does unasked: each 2 % of growth was a tenth of what a creation costs.
    autovacuum_naptime: '15s',
    autovacuum_vacuum_scale_factor: 0.05,
    autovacuum_vacuum_insert_scale_factor: 0.05,
    autovacuum_vacuum_cost_limit: 2000,

    // A client that hung up does not keep a query running.
    client_connection_check_interval: '5s',

    timezone: 'UTC',
    log_timezone: 'UTC',
    datestyle: 'iso, ymd',
    lc_messages: 'C',
    default_text_search_config: 'pg_catalog.english',
    log_line_prefix: '%m [%p] %u ',
    log_min_messages: 'warning',
    // Never the parameters: they hold what customers wrote.
    log_min_duration_statement: '2s',
    log_parameter_max_length: 0,
    log_parameter_max_length_on_error: 0,
    ...(durable ? {} : IN_MEMORY),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'`);
  return [...lines, "include_if_exists = 'custom.conf'", ''].join('\n');
}

/** The machine's memory, or the container's where that is less. */
function memoryMiB(): number {
  const limit = process.constrainedMemory();
  return (limit > 0 ? Math.min(limit, totalmem()) : totalmem()) / mebibyte;
}

/** Containers often have 64 MB of /dev/shm, on which parallel queries would fail. */
function smallSharedMemory(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize < 512 * mebibyte;
  } catch {
    return true;
  }
}

function clamp(value: number, low: number, high: number): number {
  return Math.round(Math.min(Math.max(value, low), high));
}
