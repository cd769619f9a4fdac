import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { MigrationError } from '../migrations/support/roles';
import { createApp } from './app';
import { type Config, ConfigError, loadConfig } from './config';
import { checkPort } from './embedded/ports';
import { startServices, type RunningServices } from './embedded/services';
import { StartError } from './embedded/start-error';
import { seedDemoWorkspace } from './cli/demo';
import { runMigrations } from './platform/database/migrate';
import { shutDownOnSignals } from './shutdown';

/** Starts everything this process is to run and says where it is. */
async function main(): Promise<void> {
  const config = loadConfig();
  const serving = config.role !== 'worker';
  if (serving && config.port !== 0) await checkPort(config.host, config.port);
  const services = await startServices(config, say);
  try {
    await run(config, services, serving);
  } catch (error) {
    await services.stop();
    throw error;
  }
}

async function run(config: Config, services: RunningServices, serving: boolean): Promise<void> {
  const { databaseUrl, redisUrl } = services;
  await runMigrations(databaseUrl, say);
  const demoToken = await seedDemoWorkspace({ ...config, databaseUrl, redisUrl });
  const app = await createApp({ ...config, databaseUrl, redisUrl });
  shutDownOnSignals(app, services, config.shutdownTimeoutSeconds * 1000);
  if (serving) {
    await app.listen(config.port, config.host);
    say(await banner(app, demoToken));
  } else {
    say('Workers are running; Ctrl-C ends them.');
  }
}

async function banner(app: NestFastifyApplication, demoToken: string | null): Promise<string> {
  const url = await app.getUrl();
  const lines = [
    '',
    `  API       ${url}/v1`,
    `  Docs      ${url}/docs`,
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
  const expected = error instanceof StartError || error instanceof ConfigError || error instanceof MigrationError;
  process.stderr.write(`${expected ? error.message : String((error as Error).stack ?? error)}\n`);
  process.exit(1);
});
