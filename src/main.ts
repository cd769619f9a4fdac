import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MigrationError } from '../migrations/support/v1/roles';
import { createApp } from './app';
import { ConfigError, loadConfig } from './config';
import { checkPort } from './embedded/ports';
import { startServices } from './embedded/services';
import { StartError } from './embedded/start-error';
import { seedDemoWorkspace } from './cli/demo/workspace';
import { addDemoRecords } from './cli/demo/records';
import type { Area } from './platform/area/area';
import { Areas } from './platform/area/areas';
import type { RuntimeConfig } from './platform/context/runtime-config';
import { runMigrations } from './platform/database/migrate';
import { refuseNew } from './platform/http/drain';
import { HealthService } from './platform/health/health.service';
import { SecretsKeyError } from './platform/secrets/secret-box';
import { installedAreas } from './plugins/installed';
import { PluginError } from './plugins/plugin-error';
import { Ending } from './shutdown';

// Pages of JSON are short-lived garbage: left alone, V8 lets it grow to several times of what is in use before it collects.
setFlagsFromString('--heap-growing-percent=30');

/** Starts everything this process is to run and says where it is. */
async function main(): Promise<void> {
  const config = loadConfig();
  const areas = installedAreas(config);
  const serving = config.role !== 'worker';
  if (serving && config.port !== 0) await checkPort(config.host, config.port);
  const ending = new Ending(config.shutdownTimeoutSeconds * 1000);
  const starting = startServices(config, say);
  ending.onEnd(async () => {
    const services = await starting.catch(() => null);
    await services?.stop();
  });
  const services = await starting;
  try {
    const own = !services.embedded.postgres;
    const { databaseUrl, migrateDatabaseUrl, redisUrl, embedded } = services;
    const embeddedIn = embedded.postgres || embedded.redis ? config.dataDir : null;
    const runtime = { ...config, databaseUrl, migrateDatabaseUrl, redisUrl, embeddedIn };
    const url = await run(runtime, areas, own, ending, serving);
    if (url !== null) services.serve(url);
  } catch (error) {
    if (ending.begun) return;
    await services.stop();
    throw error;
  }
}

/** Answers where the API is; null when this process serves none. */
async function run(
  config: RuntimeConfig,
  areas: readonly Area[],
  own: boolean,
  ending: Ending,
  serving: boolean,
): Promise<string | null> {
  await runMigrations(config.migrateDatabaseUrl, new Areas(areas).migrations, say);
  const demo = await seedDemoWorkspace(config, own);
  const app = await createApp(config, { areas });
  if (typeof demo?.madeNow === 'number') await addDemoRecords(app, demo.madeNow);
  ending.onEnd(async () => {
    app.get(HealthService).startDraining();
    await refuseNew(app.getHttpAdapter().getInstance());
    await app.close();
  });
  collectGarbage();
  if (serving) {
    await app.listen(config.port, config.host);
    const url = await app.getUrl();
    say(banner(url, demo?.token ?? null));
    return url;
  }
  say('Workers are running; Ctrl-C ends them.');
  return null;
}

/**
 * The garbage of starting, before the first request: V8 would keep it, and let as much grow beside it, until far into the load;
 * from the first collection on, it counts from what is in use.
 */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  setFlagsFromString('--no-expose-gc');
}

function banner(url: string, demoToken: string | null): string {
  const lines = [
    '',
    `  Start     ${url}/`,
    `  API       ${url}/v1`,
    `  Docs      ${url}/docs   (to read, with samples: ${url}/docs/reference)`,
    `  OpenAPI   ${url}/v1/openapi.json`,
    ...(demoToken === null ? [] : [`  Token     ${demoToken}   (workspace demo)`]),
    '',
    ...(demoToken === null ? [] : [`  Try it:   curl -H 'Authorization: Bearer ${demoToken}' ${url}/v1/tickets`, '']),
    '  Ctrl-C ends it.',
    '',
  ];
  return lines.join('\n');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().catch((error: unknown) => {
  const expected = [StartError, ConfigError, PluginError, MigrationError, SecretsKeyError].some(
    (kind) => error instanceof kind,
  );
  process.stderr.write(`${expected ? (error as Error).message : String((error as Error).stack ?? error)}\n`);
  process.exit(1);
});
