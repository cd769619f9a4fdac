import cluster from 'node:cluster';
import { setFlagsFromString } from 'node:v8';
import { MigrationError } from '../migrations/support/v1/roles';
import { seedDemoWorkspace } from './cli/demo/workspace';
import { becomeApiProcess } from './cluster/api-process';
import { ApiProcesses, ApiProcessError } from './cluster/api-processes';
import { connectionsOf } from './cluster/connections';
import { type Config, loadConfig } from './config';
import { ConfigError } from './config-values';
import { prepareFileFolder } from './embedded/data-dir';
import { checkPort } from './embedded/ports';
import { startServices } from './embedded/services';
import { StartError } from './embedded/start-error';
import type { Area } from './platform/area/area';
import { Areas } from './platform/area/areas';
import type { RuntimeConfig } from './platform/context/runtime-config';
import { runMigrations } from './platform/database/migrate';
import { SecretsKeyError } from './platform/secrets/secret-box';
import { installedAreas } from './plugins/installed';
import { PluginError } from './plugins/plugin-error';
import { collectGarbage, serve } from './serve';
import { Ending } from './shutdown';

// Pages of JSON are short-lived garbage: left alone, V8 lets it grow to several times of what is in use before it collects.
setFlagsFromString('--heap-growing-percent=15');
// The young generation of this thread is as `npm start` says by now; those of others are as their pools say (`youngMb`), which the flag would overrule.
setFlagsFromString('--max-semi-space-size=0');

/** Starts everything this process is to run, or the processes that are, and says where it is. */
async function main(): Promise<void> {
  const config = loadConfig();
  const areas = installedAreas(config);
  const serving = config.role !== 'worker';
  if (serving && config.port !== 0) await checkPort(config.host, config.port);
  const ending = new Ending(config.shutdownTimeoutSeconds * 1000);
  const starting = startServices(config, say, { connections: connectionsOf(config) });
  ending.onEnd(async () => {
    const services = await starting.catch(() => null);
    await services?.stop();
  });
  const processes = config.clusterWorkers > 1 ? makeProcesses(config, ending) : null;
  const services = await starting;
  try {
    const own = !services.embedded.postgres;
    const { databaseUrl, migrateDatabaseUrl, redisUrl, embedded } = services;
    const embeddedIn = embedded.postgres || embedded.redis ? config.dataDir : null;
    const places = { databaseUrl, migrateDatabaseUrl, redisUrl, embeddedIn };
    const runtime = { ...config, ...places };
    if (config.files.s3 === null) prepareFileFolder(config.files.folder);
    const { token, madeNow } = await prepare(runtime, areas, own);
    const url = processes
      ? await processes.start({ ...places, port: await checkPort(config.host, config.port) }, madeNow)
      : await serve(runtime, areas, ending, madeNow);
    if (processes) collectGarbage();
    say(url === null ? 'Workers are running; Ctrl-C ends them.' : banner(url, token));
    if (url !== null) services.serve(url);
  } catch (error) {
    if (ending.begun) return;
    await processes?.end();
    await services.stop();
    throw error;
  }
}

/** What is there once, however many processes answer: the schema, and a workspace to try things in. */
async function prepare(
  config: RuntimeConfig,
  areas: readonly Area[],
  own: boolean,
): Promise<{ token: string | null; madeNow: number | null }> {
  await runMigrations(config.migrateDatabaseUrl, new Areas(areas).migrations, say);
  const demo = await seedDemoWorkspace(config, own);
  return { token: demo?.token ?? null, madeNow: demo?.madeNow ?? null };
}

function makeProcesses({ clusterWorkers }: Config, ending: Ending): ApiProcesses {
  const processes = new ApiProcesses(__filename, clusterWorkers, say, ({ message }) => {
    process.stderr.write(`${message}\n`);
    ending.begin(1);
  });
  ending.onEnd(() => processes.end());
  return processes;
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

function failed(error: unknown): never {
  const expected = [StartError, ConfigError, PluginError, MigrationError, SecretsKeyError, ApiProcessError].some(
    (kind) => error instanceof kind,
  );
  process.stderr.write(`${expected ? (error as Error).message : String((error as Error).stack ?? error)}\n`);
  process.exit(1);
}

if (cluster.isPrimary) main().catch(failed);
else becomeApiProcess(failed);
