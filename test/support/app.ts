import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { type AppOptions, createApp } from '../../src/app';
import { loadConfig } from '../../src/config';
import { Areas } from '../../src/platform/area/areas';
import type { RuntimeConfig } from '../../src/platform/context/runtime-config';
import { areasOfRun } from './areas';
import { patience } from './machine';
import { plugins } from './plugins';
import { leaveSandboxes } from './sandbox';
import { testServices } from './services';

/** The whole application, listening on a free port of the loopback interface. */
export interface TestApp {
  /** `http://127.0.0.1:<port>` */
  url: string;
  app: NestFastifyApplication;
  close(): Promise<void>;
}

/** A busy machine is no reason for a node to limit by itself, which is another answer than its tests expect. */
export const REDIS_WAIT_MS = 2_000;

/**
 * The configuration of a test application. Receivers of the tests are local, and any application of the run may do the
 * work of another: one that must not reach them is given `role: 'api'`, too.
 */
export function testConfig(overrides: Partial<RuntimeConfig> = {}): RuntimeConfig {
  const dataDir = join(tmpdir(), 'helpdesk-test-unused');
  const config = loadConfig({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent', CLUSTER_WORKERS: '1' });
  // All files of a run come from one address.
  const waits = { databaseWaitMs: patience(20_000), redisWaitMs: REDIS_WAIT_MS };
  // What else the machine does may begin after it was measured.
  const limits = { pageRateLimit: 0, ...waits, slowness: Math.max(2, patience(1_000) / 1_000) };
  const forTests = {
    secretsKey: Buffer.alloc(32, 7),
    webhookAllowCidrs: ['127.0.0.1/32'],
    aiAllowCidrs: ['127.0.0.1/32'],
    migrationAllowCidrs: ['127.0.0.1/32'],
  };
  const { databaseUrl, migrateDatabaseUrl, redisUrl, dataDir: ofRun } = testServices();
  const files = { ...config.files, folder: join(overrides.dataDir ?? ofRun, 'attachments') };
  return {
    ...config,
    plugins: plugins ?? [],
    ...forTests,
    ...limits,
    files,
    databaseUrl,
    migrateDatabaseUrl,
    redisUrl,
    ...overrides,
  };
}

/**
 * Starts an application of its own on the PostgreSQL and Redis of this test run. While it runs, its areas are those of the
 * process (decision 273); when it is closed, those of the run are again.
 */
export async function startApp(overrides: Partial<RuntimeConfig> = {}, options: AppOptions = {}): Promise<TestApp> {
  const app = await createApp(testConfig(overrides), { handlerLimitMs: patience(20_000), ...options });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, app, close };

  async function close(): Promise<void> {
    await app.close();
    if (options.areas) new Areas(areasOfRun).install();
  }
}

/** Applications that the files of a worker share, by configuration. */
const shared = new Map<string, Promise<TestApp>>();

/**
 * An application for the tests of a file. Files that ask for nothing of their own, or for no more than a role, share one per
 * worker: its pools and caches are warm. A file that changes the application itself uses `useOwnApp`.
 */
export function useApp(overrides: Partial<RuntimeConfig> = {}, options: AppOptions = {}): TestApp {
  const isPlain = Object.keys(overrides).every((name) => name === 'role') && Object.keys(options).length === 0;
  // Without a worker there is nobody to close it after the last file.
  if (!isPlain || process.send === undefined) return useOwnApp(overrides, options);
  const server = {} as TestApp;
  beforeAll(async () => {
    Object.assign(server, await sharedApp(overrides));
  });
  afterAll(() => leaveSandboxes(server));
  return server;
}

/** An application for the tests of a file alone: started before them, closed after them. */
export function useOwnApp(overrides: Partial<RuntimeConfig> = {}, options: AppOptions = {}): TestApp {
  const server = {} as TestApp;
  beforeAll(async () => {
    Object.assign(server, await startApp(overrides, options));
  });
  afterAll(async () => {
    await leaveSandboxes(server).finally(() => server.close());
  });
  return server;
}

function sharedApp(overrides: Partial<RuntimeConfig>): Promise<TestApp> {
  const key = JSON.stringify(overrides);
  const app = shared.get(key) ?? startApp(overrides);
  shared.set(key, app);
  // One that did not start is no application.
  app.catch(() => shared.delete(key));
  return app;
}

/** Closes the applications that files share, for a file that changes what all of a process have in common. */
export async function closeShared(): Promise<void> {
  const apps = [...shared.values()];
  shared.clear();
  await Promise.all(apps.map(async (app) => (await app).close()));
}
