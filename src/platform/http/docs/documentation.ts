import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { RuntimeConfig } from '../../context/runtime-config';
import { matchesNone, weakTag } from '../etag';
import { html, type Html } from '../html';
import { createOpenApiDocument, PREFIX, type SentDocuments } from '../openapi';
import { assetUrl, serveAssets } from './assets';
import { homePage } from './home-page';
import { pageFiles } from './page-files';

/** Addresses of the pages for people. */
export const SWAGGER = '/docs';
export const REFERENCE = '/docs/reference';

const DOCUMENT = `${PREFIX}/openapi.json`;

/**
 * Serves, all without a token: the OpenAPI document at `/v1/openapi.json`, Swagger UI at `/docs`, the reference with
 * samples at `/docs/reference`, and the start page at `/`. Nothing of it comes from another origin.
 */
export function serveDocumentation(
  app: NestFastifyApplication,
  config: Pick<RuntimeConfig, 'version' | 'dataDir' | 'publicUrl'>,
  sent: () => SentDocuments,
): void {
  const fastify = app.getHttpAdapter().getInstance();
  let document: OpenAPIObject | undefined;
  let text: string | undefined;
  let tag: string | undefined;
  fastify.get(DOCUMENT, (request, reply) => {
    // Built when first asked for: a server that nobody asks starts faster.
    document ??= createOpenApiDocument(app, config.version, sent());
    text ??= JSON.stringify(document);
    tag ??= weakTag(text);
    void reply.header('etag', tag);
    if (matchesNone(request.headers['if-none-match'] ?? '', tag)) void reply.status(304).send();
    else void reply.header('content-type', 'application/json; charset=utf-8').send(text);
  });
  serveAssets(fastify, pageFiles);
  const pages: [string, () => Html][] = [
    [SWAGGER, swaggerPage],
    [REFERENCE, referencePage],
  ];
  for (const [path, page] of pages) {
    const text = page().text;
    fastify.get(path, (_request, reply) => sendPage(reply, text));
    fastify.get(`${path}/`, (_request, reply) => sendPage(reply, text));
  }
  fastify.get('/', (request, reply) => sendPage(reply, homePage(config, request).text));
}

function sendPage(reply: FastifyReply, text: string): void {
  void reply.headers({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' }).send(text);
}

/** The address of a file of the pages. */
function file(name: keyof typeof pageFiles): string {
  return assetUrl(name, pageFiles[name]);
}

function swaggerPage(): Html {
  const head = html`<link rel="stylesheet" href="${file('swagger-ui.css')}" />
    <link rel="stylesheet" href="${file('swagger.css')}" />
    <link rel="preload" href="${DOCUMENT}" as="fetch" crossorigin="anonymous" />`;
  const body = html`<nav class="bar">
      <a href="/">Helpdesk API</a> <a href="${REFERENCE}">Reference with samples</a>
      <a href="${DOCUMENT}">OpenAPI document</a>
    </nav>
    <div id="swagger-ui" data-document="${DOCUMENT}"></div>
    <script src="${file('swagger-ui-bundle.js')}"></script>
    <script src="${file('swagger.js')}"></script>`;
  return documentOf('Helpdesk API', head, body);
}

function referencePage(): Html {
  const body = html`<div id="reference" data-document="${DOCUMENT}"></div>
    <script src="${file('scalar.js')}"></script>
    <script src="${file('reference.js')}"></script>`;
  return documentOf('Helpdesk API reference', html``, body);
}

function documentOf(title: string, head: Html, body: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="data:," />
        <title>${title}</title>
        ${head}
      </head>
      <body>
        ${body}
      </body>
    </html>`;
}
