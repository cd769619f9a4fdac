import 'reflect-metadata';
import { type NestApplicationOptions, RequestMethod, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Logger } from 'pino';
import { AppModule, areas as builtIn } from './app.module';
import { loadConfig } from './config';
import type { Area } from './platform/area/area';
import { Areas } from './platform/area/areas';
import type { RuntimeConfig } from './platform/context/runtime-config';
import { installedAreas } from './plugins/installed';
import { AccessCache } from './platform/auth/access-cache';
import { presentedToken } from './platform/auth/bearer.guard';
import { Database } from './platform/database/database';
import { CustomFields } from './platform/fields/custom-fields';
import { WorkspaceDocument } from './platform/openapi/workspace-document';
import { eventSchemas, eventWebhooks } from './platform/openapi/event-schemas';
import { registerBodyReader } from './platform/http/body-reader';
import { CompiledRoutes } from './platform/http/compiled-routes';
import { registerCompression } from './platform/http/compression';
import { registerCors } from './platform/http/cors';
import { drainOnClose } from './platform/http/drain';
import { serveDocumentation } from './platform/http/docs/documentation';
import { logOutput } from './platform/http/log-output';
import { createLogger, NestLog } from './platform/http/logger';
import { createOpenApiDocument, PREFIX, type SentDocuments } from './platform/http/openapi';
import { OriginRules } from './platform/http/origin-rules';
import { PAGES } from './platform/http/public-page';
import { registerRequestHooks } from './platform/http/request-hooks';
import { RouteTable } from './platform/http/route-table';
import { createAdapter } from './platform/http/server';
import { finishDocument } from './platform/openapi/finish';
import { QuotaService } from './platform/limits/quota.service';
import { RateLimitGuard } from './platform/limits/rate-limit.guard';

export interface AppOptions {
  /** Where log lines go; by default standard output at the configured level. */
  logger?: Logger;
  /** What the application is made of; the areas of this repository and the plug-ins of the configuration unless given. */
  areas?: readonly Area[];
  /** Modules beside those of the areas. */
  modules?: readonly Type[];
  /** Longest time a handler may take, in milliseconds; by default 20 seconds. */
  handlerLimitMs?: number;
}

/** The complete application, connected and initialised but not listening. The caller closes it. */
export async function createApp(config: RuntimeConfig, options: AppOptions = {}): Promise<NestFastifyApplication> {
  const { logger = createLogger(config.logLevel, logOutput(config), config.worker), modules = [] } = options;
  const areas = new Areas(options.areas ?? installedAreas(config));
  const root = AppModule.of({ config, logger, areas }, modules);
  const settings: NestApplicationOptions = { logger: new NestLog(logger), bodyParser: false, abortOnError: false };
  const app = await NestFactory.create<NestFastifyApplication>(
    root,
    createAdapter(config.trustProxy, options.handlerLimitMs),
    settings,
  );
  setPrefix(app);
  const fastify = app.getHttpAdapter().getInstance();
  const quota = app.get(QuotaService);
  const rate = app.get(RateLimitGuard);
  app.get(RouteTable).watch(fastify);
  app.get(CompiledRoutes).watch(fastify);
  registerBodyReader(fastify);
  drainOnClose(fastify, config.slowness);
  // A request refused by the rate limit does not count, one refused with 403 does.
  registerRequestHooks(fastify, logger, (context, status) => {
    rate.look(context);
    return status === 429 ? quota.look(context) : quota.countUnchecked(context);
  });
  registerCors(fastify, config.corsOrigins, app.get(OriginRules));
  await registerCompression(fastify);
  const own = new WorkspaceDocument(app.get(AccessCache), app.get(CustomFields), app.get(Database));
  serveDocumentation(
    app,
    config,
    () => sentDocuments(areas),
    async (request, document) => {
      const token = presentedToken(request);
      return token === null ? null : own.textFor(token, document);
    },
  );
  await app.init();
  await fastify.ready();
  return app;
}

/** The OpenAPI document, from the classes alone: nothing is instantiated and nothing is connected to. */
export async function buildOpenApiDocument(made: readonly Area[] = builtIn): Promise<OpenAPIObject> {
  const areas = new Areas(made);
  const config = { ...loadConfig({}), databaseUrl: '', migrateDatabaseUrl: '', redisUrl: '' };
  const logger = createLogger('silent');
  const settings: NestApplicationOptions = { preview: true, logger: false, abortOnError: false };
  const root = AppModule.of({ config, logger, areas });
  const app = await NestFactory.create<NestFastifyApplication>(root, new FastifyAdapter(), settings);
  setPrefix(app);
  return createOpenApiDocument(app, config.version, sentDocuments(areas));
}

function sentDocuments(areas: Areas): SentDocuments {
  return {
    webhooks: eventWebhooks(),
    schemas: eventSchemas(),
    finish: (document, bodies) => finishDocument(document, areas, bodies),
  };
}

function setPrefix(app: NestFastifyApplication): void {
  app.setGlobalPrefix(PREFIX.slice(1), {
    exclude: [
      // Outside /v1 for orchestrators; below it, where everything else is, under its whole name.
      { path: 'ready', method: RequestMethod.GET },
      { path: `${PREFIX.slice(1)}/ready`, method: RequestMethod.GET },
      { path: `${PAGES.slice(1)}/*path`, method: RequestMethod.ALL },
    ],
  });
}
