import type { FastifyRequest } from 'fastify';
import { existsSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { projectRoot } from '../../../config';
import type { RuntimeConfig } from '../../context/runtime-config';
import { originOf } from '../link-base';
import { PREFIX } from '../openapi';
import { type Html, type Template, template } from '../template';
import { assetUrl } from './assets';
import { pageFiles } from './page-files';

type HomeConfig = Pick<RuntimeConfig, 'version' | 'dataDir' | 'publicUrl'>;

const LINKS = [
  ['/docs', 'Swagger UI', 'Read every operation and try it out.'],
  ['/docs/reference', 'Reference', 'Three panes, with samples for curl, Node.js and Python.'],
  [`${PREFIX}/openapi.json`, 'OpenAPI', 'The document, for generators and other tools.'],
  [`${PREFIX}/health`, 'Health', 'How PostgreSQL and the queue are, as JSON.'],
] as const;

const page: Template<{
  version: string;
  health: string;
  links: typeof LINKS;
  base: string;
  /** Where the demo token is; null when there is none. */
  tokenFile: string | null;
  firstRequest: string;
  sheet: string;
  script: string;
}> = template(__dirname, 'home-page');

/** The start page: what this is, how it is, where everything is, and the first request. It never shows a token. */
export function homePage(config: HomeConfig, request: Pick<FastifyRequest, 'protocol' | 'host'>): Html {
  const base = `${config.publicUrl ?? originOf(request) ?? ''}${PREFIX}`;
  const file = tokenFile(config);
  const bearer = file === null ? 'TOKEN' : `$(cat ${quoted(file)})`;
  return page({
    version: config.version,
    health: `${PREFIX}/health`,
    links: LINKS,
    base,
    tokenFile: file,
    firstRequest: `curl -s -H "Authorization: Bearer ${bearer}" "${base}/tickets?per_page=2"`,
    sheet: assetUrl('home.css', pageFiles['home.css']),
    script: assetUrl('home.js', pageFiles['home.js']),
  });
}

/** The file with the demo token as one would type it; null when there is none. */
function tokenFile({ dataDir }: HomeConfig): string | null {
  const file = join(dataDir, 'demo-token');
  return existsSync(file) ? shown(file) : null;
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
