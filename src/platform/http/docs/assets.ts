import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Where the files of the pages for people are. */
const ASSETS = '/docs/assets';

/** A file that pages load: its content is read when somebody first asks for it. */
export interface Asset {
  readonly type: string;
  /** Changes with the content: part of the address, so that browsers may keep the file for good. */
  readonly version: string;
  readonly load: () => Promise<Buffer>;
}

type Coding = 'br' | 'gzip' | 'identity';

const FOR_GOOD = 'public, max-age=31536000, immutable';
const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** A short digest of a content, for the address of an asset. */
export function digestOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 12);
}

/** The address of an asset. */
export function assetUrl(name: string, { version }: Asset): string {
  return `${ASSETS}/${version}/${name}`;
}

/** Serves the assets, each compressed once per coding, off the event loop, and kept in memory. */
export function serveAssets(fastify: FastifyInstance, assets: Readonly<Record<string, Asset>>): void {
  for (const [name, asset] of Object.entries(assets)) {
    const bodies = new Map<Coding, Promise<Buffer>>();
    const body = (coding: Coding): Promise<Buffer> => {
      const made = bodies.get(coding) ?? encoded(asset, coding);
      bodies.set(coding, made);
      made.catch(() => bodies.delete(coding));
      return made;
    };
    fastify.get(assetUrl(name, asset), async (request, reply) => send(request, reply, asset, body));
  }
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  asset: Asset,
  body: (coding: Coding) => Promise<Buffer>,
): Promise<Buffer> {
  const coding = codingFor(request.headers['accept-encoding']);
  const content = await body(coding);
  void reply.headers({ 'content-type': asset.type, 'cache-control': FOR_GOOD, vary: 'Accept-Encoding' });
  if (coding !== 'identity') void reply.header('content-encoding', coding);
  return content;
}

/** The best of what the client names; what it refuses with `q=0` is not used. */
export function codingFor(accepted: string | undefined): Coding {
  const named = (accepted ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().split(/\s*;\s*/))
    .filter(([, weight]) => !/^q=0(\.0*)?$/.test(weight ?? ''))
    .map(([name]) => name);
  return named.includes('br') ? 'br' : named.includes('gzip') ? 'gzip' : 'identity';
}

async function encoded(asset: Asset, coding: Coding): Promise<Buffer> {
  const content = await asset.load();
  if (coding === 'identity') return content;
  if (coding === 'gzip') return deflate(content, { level: 6 });
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  return brotli(content, { params });
}
