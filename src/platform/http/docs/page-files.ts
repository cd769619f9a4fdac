import Fastify from 'fastify';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { projectRoot } from '../../../config';
import { type Asset, digestOf } from './assets';

const JAVASCRIPT = 'text/javascript; charset=utf-8';
const CSS = 'text/css; charset=utf-8';

const projectRequire = createRequire(join(projectRoot, 'package.json'));
const swaggerFolder = dirname(projectRequire.resolve('swagger-ui-dist/package.json'));

/** Everything that the pages load: two packages' files, and our own few lines. */
export const pageFiles = {
  'swagger-ui.css': packaged('swagger-ui-dist', 'swagger-ui.css', CSS),
  'swagger-ui-bundle.js': packaged('swagger-ui-dist', 'swagger-ui-bundle.js', JAVASCRIPT),
  'swagger.js': own('swagger.js', JAVASCRIPT),
  'swagger.css': own('swagger.css', CSS),
  'scalar.js': { type: JAVASCRIPT, version: versionOf('@scalar/fastify-api-reference'), load: scalarBundle },
  'reference.js': own('reference.js', JAVASCRIPT),
  'home.js': own('home.js', JAVASCRIPT),
  'home.css': own('home.css', CSS),
} satisfies Record<string, Asset>;

function own(name: string, type: string): Asset {
  const content = readFileSync(join(__dirname, 'client', name));
  return { type, version: digestOf(content), load: () => Promise.resolve(content) };
}

function packaged(name: string, file: string, type: string): Asset {
  return { type, version: versionOf(name), load: () => readFile(join(swaggerFolder, file)) };
}

/** Read from the folder: not every package exports its own description. */
function versionOf(name: string): string {
  const manifest = readFileSync(join(projectRoot, 'node_modules', name, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** The package carries its bundle as a route of a plug-in and in no other form: ask that route, once. */
async function scalarBundle(): Promise<Buffer> {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const carrier = Fastify();
  try {
    await carrier.register(plugin, { routePrefix: '/reference', configuration: { url: '/' } });
    return (await carrier.inject('/reference/js/scalar.js')).rawPayload;
  } finally {
    await carrier.close();
  }
}
