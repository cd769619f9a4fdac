import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config, ServiceUrls } from '../config';
import { checkDatabase, checkRedis } from './connection-check';
import { attach, claimDataDir, isShared, liveInstance, prepareDataDir } from './data-dir';
import { endLeftoverPostgres, startEmbeddedPostgres } from './embedded-postgres';
import { endLeftoverRedis, startEmbeddedRedis } from './embedded-redis';
import { StartError } from './start-error';

/** PostgreSQL and Redis, ready to be connected to. */
export interface RunningServices extends ServiceUrls {
  /** Which of the two this process started (the others are someone else's). */
  readonly embedded: { readonly postgres: boolean; readonly redis: boolean };
  /** Tells further starts on this data directory where the API answers. */
  serve(url: string): void;
  /** Ends what this process started, and nothing else. Safe to call twice. */
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** True: `stop` first waits for the processes that use the services as well. Ctrl-C does not wait. */
  readonly patient?: boolean;
  /** False: faster, and a crash of the machine may lose the data (tests). Default true. */
  readonly durable?: boolean;
  /** Most connections that this program and its processes will hold to PostgreSQL. */
  readonly connections?: number;
}

type Say = (line: string) => void;
type ServiceConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'redisUrl'> & Partial<Pick<Config, 'migrateDatabaseUrl'>>;

const attachTimeoutMs = 120_000;
const pollMs = 100;

/**
 * Brings up what DATABASE_URL and REDIS_URL leave unset, and makes sure that the rest answers.
 *
 * @param say receives progress, a sentence at a time
 * @throws StartError also when another process runs the services of this data directory
 */
export async function startServices(
  config: ServiceConfig,
  say: Say,
  options?: ServiceOptions,
): Promise<RunningServices> {
  const { dataDir, databaseUrl, redisUrl } = config;
  await Promise.all([
    databaseUrl === null ? undefined : checkDatabase(databaseUrl, say),
    redisUrl === null ? undefined : checkRedis(redisUrl, say),
  ]);
  const migrateDatabaseUrl = config.migrateDatabaseUrl ?? databaseUrl;
  if (migrateDatabaseUrl !== null && migrateDatabaseUrl !== databaseUrl) await checkDatabase(migrateDatabaseUrl);
  if (databaseUrl !== null && redisUrl !== null)
    return foreign({ databaseUrl, migrateDatabaseUrl: migrateDatabaseUrl ?? databaseUrl, redisUrl });

  prepareDataDir(dataDir);
  const claim = claimDataDir(dataDir);
  const { durable = true, connections } = options ?? {};
  const starting = Promise.allSettled([
    databaseUrl === null
      ? startEmbeddedPostgres({ directory: join(dataDir, 'postgres'), durable, connections, say })
      : null,
    redisUrl === null ? startEmbeddedRedis({ directory: join(dataDir, 'redis'), durable, say }) : null,
  ]);
  const stop = once(async () => {
    const parts = await starting;
    const running = parts.flatMap((part) => (part.status === 'fulfilled' && part.value !== null ? [part.value] : []));
    await Promise.all(running.map((service) => service.stop()));
    claim.release();
  });
  endOnSignals(stop);
  const [postgres, redis] = await starting;
  if (postgres.status === 'rejected' || redis.status === 'rejected') {
    await stop();
    throw postgres.status === 'rejected' ? postgres.reason : (redis as PromiseRejectedResult).reason;
  }
  const urls = {
    databaseUrl: databaseUrl ?? postgres.value?.url ?? '',
    migrateDatabaseUrl: migrateDatabaseUrl ?? postgres.value?.ownerUrl ?? '',
    redisUrl: redisUrl ?? redis.value?.url ?? '',
  };
  claim.publish(urls);
  const patientStop = once(async () => {
    claim.unpublish();
    while (isShared(dataDir)) await sleep(pollMs);
    await stop();
  });
  const embedded = { postgres: databaseUrl === null, redis: redisUrl === null };
  const serve = (url: string): void => {
    claim.serve(url);
  };
  return { ...urls, embedded, serve, stop: options?.patient === true ? patientStop : stop };
}

/** Ends the services that a killed process left running on a data directory; those of a live one are not touched. */
export async function endAbandonedServices(dataDir: string, say: Say): Promise<void> {
  if (liveInstance(dataDir) !== null) return;
  await endLeftoverPostgres(join(dataDir, 'postgres'), say);
  await endLeftoverRedis(join(dataDir, 'redis'), say);
}

/**
 * For the `helpdesk` command: uses the services of the process that runs on this data directory, or starts them for the
 * time being when none does.
 *
 * @throws StartError
 */
export async function attachOrStartServices(config: ServiceConfig, say: Say): Promise<RunningServices> {
  if (config.databaseUrl !== null && config.redisUrl !== null) return startServices(config, say);
  const deadline = Date.now() + attachTimeoutMs;
  while (Date.now() < deadline) {
    if (liveInstance(config.dataDir) === null) {
      try {
        return await startServices(config, say, { patient: true });
      } catch (error) {
        // Another process was faster to claim the directory: use its services.
        if (liveInstance(config.dataDir) === null) throw error;
      }
    }
    const detach = attach(config.dataDir);
    // Read after registering: an owner that is about to end either sees us, or shows no services any more.
    const services = liveInstance(config.dataDir)?.services;
    if (services) {
      const databaseUrl = config.databaseUrl ?? services.databaseUrl;
      const migrateDatabaseUrl = config.migrateDatabaseUrl ?? config.databaseUrl ?? ownerOf(services);
      const redisUrl = config.redisUrl ?? services.redisUrl;
      return {
        ...foreign({ databaseUrl, migrateDatabaseUrl, redisUrl }),
        stop: once(() => Promise.resolve().then(detach)),
      };
    }
    detach();
    await sleep(pollMs);
  }
  throw new StartError(`The services of ${config.dataDir} are still starting or ending elsewhere; try again later.`);
}

/** A running process of a former version knows one role. */
function ownerOf({ databaseUrl, migrateDatabaseUrl }: Partial<ServiceUrls> & Pick<ServiceUrls, 'databaseUrl'>): string {
  return migrateDatabaseUrl ?? databaseUrl;
}

function foreign(urls: ServiceUrls): RunningServices {
  return {
    ...urls,
    embedded: { postgres: false, redis: false },
    serve: () => undefined,
    stop: () => Promise.resolve(),
  };
}

/** Until the program handles a signal itself (it drains first), Ctrl-C ends the services and then the program. */
function endOnSignals(stop: () => Promise<void>): void {
  for (const [signal, exitCode] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.on(signal, () => {
      if (process.listenerCount(signal) > 1) return;
      const leave = (): never => process.exit(exitCode);
      stop().then(leave, leave);
    });
  }
}

function once(action: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => (done ??= action());
}
