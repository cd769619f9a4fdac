import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RuntimeConfig } from '../../context/runtime-config';
import { matchesNone, weakTag } from '../if-none-match';
import { varyBy } from '../vary';
import { createOpenApiDocument, PREFIX, type SentDocuments } from '../openapi';
import { type Template, template } from '../template';
import { assetUrl, serveAssets } from './assets';
import { homePage } from './home-page';
import { pageFiles } from './page-files';

/** Addresses of the pages for people. */
const SWAGGER = '/docs';
export const REFERENCE = '/docs/reference';

const DOCUMENT = `${PREFIX}/openapi.json`;

const viewer: Template<{
  title: string;
  /** Of the element that the script fills. */
  id: string;
  document: string;
  /** The other viewer, for the bar at the top; null = no bar. */
  bar: string | null;
  sheets: readonly string[];
  scripts: readonly string[];
}> = template(__dirname, 'viewer');

/** The text of the document for whoever asks; null where it is that of everybody. */
export type OwnDocument = (request: FastifyRequest, document: () => OpenAPIObject) => Promise<string | null>;

/**
 * Serves, all without a token: the OpenAPI document at `/v1/openapi.json`, Swagger UI at `/docs`, the reference with
 * samples at `/docs/reference`, and the start page at `/`. Nothing of it comes from another origin.
 */
export function serveDocumentation(
  app: NestFastifyApplication,
  config: Pick<RuntimeConfig, 'version' | 'dataDir' | 'publicUrl'>,
  sent: () => SentDocuments,
  own: OwnDocument,
): void {
  const fastify = app.getHttpAdapter().getInstance();
  let document: OpenAPIObject | undefined;
  let text: string | undefined;
  let tag: string | undefined;
  // Built when first asked for: a server that nobody asks starts faster.
  const made = (): OpenAPIObject => (document ??= createOpenApiDocument(app, config.version, sent()));
  fastify.get(DOCUMENT, async (request, reply) => {
    const theirs = await own(request, made);
    const shown = theirs ?? (text ??= JSON.stringify(made()));
    const current = theirs === null ? (tag ??= weakTag(shown)) : weakTag(theirs);
    void reply.header('etag', current);
    varyBy('Authorization', reply);
    if (matchesNone(request.headers['if-none-match'] ?? '', current)) return reply.status(304).send();
    return reply.header('content-type', 'application/json; charset=utf-8').send(shown);
  });
  serveAssets(fastify, pageFiles);
  for (const [path, text] of viewers()) {
    fastify.get(path, (_request, reply) => sendPage(reply, text));
    fastify.get(`${path}/`, (_request, reply) => sendPage(reply, text));
  }
  fastify.get('/', (request, reply) => sendPage(reply, homePage(config, request)));
}

function sendPage(reply: FastifyReply, text: string): void {
  void reply.headers({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' }).send(text);
}

/** The address of a file of the pages. */
function file(name: keyof typeof pageFiles): string {
  return assetUrl(name, pageFiles[name]);
}

/** The pages that show the document, by their address. */
function viewers(): [path: string, text: string][] {
  const swagger = viewer({
    title: 'Helpdesk API',
    id: 'swagger-ui',
    document: DOCUMENT,
    bar: REFERENCE,
    sheets: [file('swagger-ui.css'), file('swagger.css')],
    scripts: [file('swagger-ui-bundle.js'), file('swagger.js')],
  });
  const reference = viewer({
    title: 'Helpdesk API reference',
    id: 'reference',
    document: DOCUMENT,
    bar: null,
    sheets: [],
    scripts: [file('scalar.js'), file('reference.js')],
  });
  return [
    [SWAGGER, swagger],
    [REFERENCE, reference],
  ];
}
