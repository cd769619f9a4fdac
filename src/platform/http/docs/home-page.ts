import type { FastifyRequest } from 'fastify';
import { existsSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { projectRoot } from '../../../config';
import type { RuntimeConfig } from '../../context/runtime-config';
import { html, type Html } from '../html';
import { originOf } from '../link-base';
import { PREFIX } from '../openapi';
import { assetUrl } from './assets';
import { pageFiles } from './page-files';

type HomeConfig = Pick<RuntimeConfig, 'version' | 'dataDir' | 'publicUrl'>;

const LINKS = [
  ['/docs', 'Swagger UI', 'Read every operation and try it out.'],
  ['/docs/reference', 'Reference', 'Three panes, with samples for curl, Node.js and Python.'],
  [`${PREFIX}/openapi.json`, 'OpenAPI', 'The document, for generators and other tools.'],
  [`${PREFIX}/health`, 'Health', 'How PostgreSQL and the queue are, as JSON.'],
] as const;

/** The start page: what this is, how it is, where everything is, and the first request. It never shows a token. */
export function homePage(config: HomeConfig, request: Pick<FastifyRequest, 'protocol' | 'host'>): Html {
  const base = `${config.publicUrl ?? originOf(request) ?? ''}${PREFIX}`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="data:," />
        <title>Helpdesk API</title>
        <link rel="stylesheet" href="${assetUrl('home.css', pageFiles['home.css'])}" />
      </head>
      <body>
        <main>
          <header>
            <h1>Helpdesk API <small>${config.version}</small></h1>
            <p class="health" id="health" data-health="${PREFIX}/health" role="status">
              <span class="dot"></span><span class="text">Health: see ${PREFIX}/health</span>
            </p>
          </header>
          <p class="lead">
            A multi-tenant helpdesk as a REST API: tickets, SLA clocks, automations, a knowledge base, webhooks and what
            else a service desk needs.
          </p>
          <ul class="links">
            ${LINKS.map(
              ([href, name, text]) =>
                html`<li>
                  <a href="${href}"><strong>${name}</strong><span>${text}</span></a>
                </li>`,
            )}
          </ul>
          <h2>Base address</h2>
          ${copyable('base', base)}
          <h2>Token</h2>
          ${token(config)}
          <h2>First request</h2>
          ${copyable('curl', firstRequest(config, base))}
        </main>
        <script src="${assetUrl('home.js', pageFiles['home.js'])}"></script>
      </body>
    </html>`;
}

function token(config: HomeConfig): Html {
  if (existsSync(tokenFile(config))) {
    return html`<p>
        The token of the workspace <code>demo</code> is in this file on the machine that runs the service:
      </p>
      ${copyable('token', shown(tokenFile(config)))}`;
  }
  return html`<p>Tokens are made on the machine that runs the service, in the project's folder:</p>
    ${copyable('token', 'npm run -s helpdesk -- token create --workspace SLUG --scopes read,write')}`;
}

function firstRequest(config: HomeConfig, base: string): string {
  const bearer = existsSync(tokenFile(config)) ? `$(cat ${quoted(shown(tokenFile(config)))})` : 'TOKEN';
  return `curl -s -H "Authorization: Bearer ${bearer}" "${base}/tickets?per_page=2"`;
}

function copyable(id: string, text: string): Html {
  return html`<div class="copy">
    <pre><code id="${id}">${text}</code></pre>
    <button type="button" data-copy="${id}" hidden>Copy</button>
  </div>`;
}

function tokenFile({ dataDir }: HomeConfig): string {
  return join(dataDir, 'demo-token');
}

/** Relative to the project's folder, where the commands are typed, when it lies below. */
function shown(file: string): string {
  const path = relative(projectRoot, file);
  return path.startsWith('..') || isAbsolute(path) ? file : path;
}

/** As one word of a shell inside double quotes and `$(…)`. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
