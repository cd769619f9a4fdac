import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors/api-error';
import { parseJsonBody, shownName, textFault } from './json-body';
import { isPage } from './public-page';

/** Bytes of a request body that are read and kept. */
export const BODY_LIMIT = 1024 * 1024;
/** Bytes that are read and thrown away, so that a client which sends first and reads later gets its 413. */
const DRAIN_LIMIT = 16 * BODY_LIMIT;

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?$/i;

/** What the form of a page sends. */
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?$/i;

type Done = (error: Error | null, body?: unknown) => void;

/**
 * Makes every request body pass through one reader that never fails the request itself: it notes what is wrong in
 * `request.bodyFailure`, and the syntax guard throws it after 401, 403 and 429 have had their turn. Bodies of routes with
 * `@Upload` are left where they are, those of `takesBytes` unread.
 */
export function registerBodyReader(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (request, payload, done) => {
    if (request.routeOptions.config.upload) done(null);
    else readBody(request, payload, done);
  });
}

/**
 * Fastify refuses a malformed Content-Type by itself, before any guard, and a QUERY without one; as an unknown type both
 * reach our reader.
 */
export function neutraliseContentType(request: FastifyRequest): void {
  const { headers, method } = request.raw;
  const type = headers['content-type'] ?? (method === 'QUERY' ? '' : undefined);
  if (type === undefined) return;
  if (request.routeOptions.config.upload) request.uploadType = type;
  if (!JSON_TYPE.test(type) && !isForm(request)) headers['content-type'] = 'application/octet-stream';
}

/** Forms of pages are the only bodies that are not JSON. */
function isForm({ raw, headers }: Pick<FastifyRequest, 'raw' | 'headers'>): boolean {
  return isPage(raw.url ?? '') && FORM_TYPE.test(headers['content-type'] ?? '');
}

function readBody(request: FastifyRequest, payload: IncomingMessage, done: Done): void {
  const declared = Number(request.headers['content-length'] ?? 0);
  const chunks: Buffer[] = [];
  let size = 0;
  let finished = false;
  const finish = (failure: ApiError | null): void => {
    if (finished) return;
    finished = true;
    payload.off('data', onData).off('end', onEnd).off('error', onError).off('close', onError);
    const bytes = failure ? Buffer.alloc(0) : Buffer.concat(chunks, size);
    done(null, take(request, bytes, failure));
  };
  const onData = (chunk: Buffer): void => {
    size += chunk.length;
    if (size <= BODY_LIMIT) chunks.push(chunk);
    else chunks.length = 0;
    if (size > DRAIN_LIMIT) stopReading();
  };
  const onEnd = (): void => {
    finish(size > BODY_LIMIT ? tooLarge() : null);
  };
  const onError = (): void => {
    finish(new ApiError('validation_error', 'The body ended before it was complete.'));
  };
  const stopReading = (): void => {
    request.raw.once('error', () => undefined);
    finish(tooLarge(true));
  };
  if (declared > DRAIN_LIMIT) {
    stopReading();
    return;
  }
  payload.on('data', onData).once('end', onEnd).once('error', onError).once('close', onError);
}

/** Stores the bytes on the request and gives back the parsed value; undefined when there is none or it is unusable. */
function take(request: FastifyRequest, bytes: Buffer, failure: ApiError | null): unknown {
  request.bodyFailure = failure;
  if (failure || bytes.length === 0) return undefined;
  request.rawBody = bytes;
  if (request.routeOptions.config.takesBytes) return undefined;
  request.bodyFailure = refusedMedia(request);
  if (request.bodyFailure) return undefined;
  const parsed = isForm(request) ? parseForm(bytes) : parseJsonBody(bytes);
  if (parsed instanceof ApiError) {
    request.bodyFailure = parsed;
    return undefined;
  }
  return parsed.value;
}

/** The fields of a form, each a text; of a name that comes twice the last one counts. */
function parseForm(bytes: Buffer): { value: unknown } | ApiError {
  const fields = [...new URLSearchParams(bytes.toString('utf8'))];
  for (const [name, value] of fields) {
    const fault = textFault(name) ?? textFault(value);
    if (fault)
      return new ApiError('validation_error', fault.message, { details: [{ field: shownName(name), ...fault }] });
  }
  return { value: Object.fromEntries(fields) };
}

function refusedMedia(request: FastifyRequest): ApiError | null {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return new ApiError('unsupported_media_type', 'Send the body without a Content-Encoding.');
  }
  if (JSON_TYPE.test(request.headers['content-type'] ?? '') || isForm(request)) return null;
  return new ApiError('unsupported_media_type', 'Send the body as application/json in UTF-8.');
}

function tooLarge(close = false): ApiError {
  return new ApiError('payload_too_large', `The body is larger than ${BODY_LIMIT} bytes.`, {
    ...(close ? { headers: { Connection: 'close' } } : {}),
  });
}
