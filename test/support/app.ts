import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { type AppOptions, createApp } from '../../src/app';
import { loadConfig } from '../../src/config';
import type { RuntimeConfig } from '../../src/platform/context/runtime-config';
import { testServices } from './services';

/** The whole application, listening on a free port of the loopback interface. */
export interface TestApp {
  /** `http://127.0.0.1:<port>` */
  url: string;
  app: NestFastifyApplication;
  close(): Promise<void>;
}

/**
 * The configuration of a test application. Receivers of the tests are local, and any application of the run may do the
 * work of another: one that must not reach them is given `role: 'api'`, too.
 */
export function testConfig(overrides: Partial<RuntimeConfig> = {}): RuntimeConfig {
  const config = loadConfig({ PORT: '0', DATA_DIR: join(tmpdir(), 'helpdesk-test-unused'), LOG_LEVEL: 'silent' });
  // All files of a run come from one address.
  const pages = { pageRateLimit: 0 };
  const forTests = { secretsKey: Buffer.alloc(32, 7), webhookAllowCidrs: ['127.0.0.1/32'], ...pages };
  return { ...config, ...forTests, ...testServices(), ...overrides };
}

/** Starts an application of its own on the PostgreSQL and Redis of this test run. */
export async function startApp(overrides: Partial<RuntimeConfig> = {}, options: AppOptions = {}): Promise<TestApp> {
  const app = await createApp(testConfig(overrides), options);
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, app, close: () => app.close() };
}

/** One application for the tests of a file: started before them, closed after them. */
export function useApp(overrides: Partial<RuntimeConfig> = {}, options: AppOptions = {}): TestApp {
  const shared = {} as TestApp;
  beforeAll(async () => {
    Object.assign(shared, await startApp(overrides, options));
  });
  afterAll(async () => {
    await shared.close();
  });
  return shared;
}
