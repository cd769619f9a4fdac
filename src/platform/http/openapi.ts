import type { INestApplication } from '@nestjs/common';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { headers, HEADERS_OF_ALL, parameters, responses, schemas } from './openapi-components';
import { withUsableExamples } from './openapi-examples';
import { completeOperation } from './openapi-operations';
import { isRecord } from '../text/json';
import { shapeModels } from '../validation/shapes';

/** Path prefix of the API; everything but `/ready` is below it. */
export const PREFIX = '/v1';

/** Methods of the API, in the order in which a path shows them. */
export const METHODS = ['get', 'post', 'patch', 'put', 'delete'] as const;

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

const DESCRIPTION = `A helpdesk workspace as a REST API. Every call but \`GET /health\` and \`GET /ready\` needs
\`Authorization: Bearer <token>\`.

Lists take \`page\`/\`per_page\` or \`offset\`/\`limit\`, \`sort\`, \`fields\`, \`expand\` and filters; with \`Accept: text/csv\` they
are tables of everything that matches. Every POST takes an
\`Idempotency-Key\`. Records carry an \`ETag\`, to be sent back as \`If-Match\` or \`If-None-Match\`. ${HEADERS_OF_ALL}`;

/** What the document has beyond its operations. */
export interface SentDocuments {
  /** What the service sends by itself: the `webhooks` of the document, and the schemas they refer to. */
  webhooks: Record<string, object>;
  schemas: Record<string, object>;
  /** Last hand on the document, with what only the resources know; `bodies` are classes of routes. */
  finish: (document: OpenAPIObject, bodies: readonly object[]) => OpenAPIObject;
}

/**
 * The OpenAPI 3.1 document of the application, the same on every machine: paths relative to /v1, shared parameters,
 * headers and error responses as components, names sorted.
 */
export function createOpenApiDocument(app: INestApplication, version: string, sent: SentDocuments): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Helpdesk API')
    .setDescription(DESCRIPTION)
    .setVersion(version)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer(PREFIX, 'This service')
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'opaque',
        description:
          'A developer token (hdd_…) or tenant token (hdt_…). Its scope `read` opens every `GET`, `write` everything else, `*` both; that of a user opens what their role allows of it.',
      },
      'bearer',
    )
    .addSecurityRequirements('bearer')
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}_${method}`,
    extraModels: shapeModels(),
  });
  document.paths = sorted(relativePaths(document.paths, document.components?.schemas ?? {}));
  document.components = {
    ...document.components,
    parameters: { ...parameters },
    headers: { ...headers },
    responses: { ...responses },
    schemas: sorted({ ...document.components?.schemas, ...schemas, ...sent.schemas }),
  };
  return sent.finish({ ...document, webhooks: sent.webhooks }, bodiesOfRoutes(app));
}

/** The classes that parameters of routes have, bodies among them: one that but inherits has no rules by which it could be found. */
function bodiesOfRoutes(app: INestApplication): object[] {
  const scanner = new MetadataScanner();
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) => [...module.controllers.values()]);
  return controllers.flatMap(({ metatype }) => {
    const prototype: unknown = metatype?.prototype;
    if (!isRecord(prototype)) return [];
    return scanner
      .getAllMethodNames(prototype)
      .flatMap((name) => (Reflect.getMetadata('design:paramtypes', prototype, name) as object[] | undefined) ?? []);
  });
}

function relativePaths(paths: OpenAPIObject['paths'], bodies: Schemas): OpenAPIObject['paths'] {
  const relative: OpenAPIObject['paths'] = {};
  for (const [path, item] of Object.entries(paths)) {
    const below = path.startsWith(`${PREFIX}/`);
    for (const method of METHODS) {
      const operation = item[method];
      if (operation) item[method] = completeOperation(method, path, withUsableExamples(operation, bodies, method));
    }
    relative[below ? path.slice(PREFIX.length) : path] = below ? item : { ...item, servers: [{ url: '/' }] };
  }
  return relative;
}

/** The same members in the order of their names. */
export function sorted<T extends object>(members: T): T {
  return Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1))) as T;
}
