import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type IncomingMessage, METHODS, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { BODY_LIMIT } from './body-reader';
import { ARRIVAL_LIMIT_MS, limitRequests } from './deadline';
import { errorAnswer } from './error-answer';
import { ApiError } from '../errors/api-error';
import { writeCommonHeaders } from './request-hooks';
import { requestIdOf } from './request-id';
import { withoutTrailingSlash } from './trailing-slash';

/** Longer than any path that fits into the headers, so that no path is too long to be routed (and answered 404). */
const MAX_PARAM_LENGTH = 20_000;

/** URL and headers together. */
const MAX_HEADER_BYTES = 16_384;

/** Longest time for an answer: above the 5 s a statement may take, several times over. */
const HANDLER_LIMIT_MS = 20_000;
const ANSWERING_MS = 10_000;

/** Never routed: a CONNECT is no request for a resource of ours, and Node gives it an event of its own. */
const UNROUTED_METHOD = 'CONNECT';

/**
 * Fastify behind Nest, with limits on everything a client can make it wait for or hold: 10 s for the headers, 15 s for
 * the request, 20 s for the answer, 16 KiB of headers, 1 MiB of body. Routes with `@Upload` say their own.
 */
export function createAdapter(trustProxy: readonly string[], handlerLimitMs = HANDLER_LIMIT_MS): FastifyAdapter {
  const adapter = new FastifyAdapter({
    // Whose X-Forwarded-For tells the client's address; from anybody else it is a claim.
    trustProxy: trustProxy.length > 0 && [...trustProxy],
    // Our own access line is one per request; Fastify's logger would create a child logger for each.
    logger: false,
    // There is no middleware: everything is a hook, guard, interceptor or pipe.
    skipMiddie: true,
    bodyLimit: BODY_LIMIT,
    requestTimeout: ARRIVAL_LIMIT_MS,
    // Nothing moves on a connection while its handler works: it has to outlast that.
    connectionTimeout: handlerLimitMs + ANSWERING_MS,
    keepAliveTimeout: 72_000,
    // While draining, what arrives on an open connection is answered properly and the connection closed.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    http: {
      headersTimeout: 10_000,
      requestTimeout: ARRIVAL_LIMIT_MS,
      // Node looks for overdue requests only this often.
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    rewriteUrl: ({ url = '/' }: { url?: string | undefined }) => withoutTrailingSlash(url),
    genReqId: (request: IncomingMessage) => requestIdOf(request.headers),
    frameworkErrors: answerUnroutable,
    clientErrorHandler: answerUnparsable,
  });
  const fastify = adapter.getInstance();
  limitRequests(fastify, handlerLimitMs);
  // Whatever Node parses gets the guards and then 404 or 405; Fastify by itself routes a part of it.
  const routed = new Set(fastify.supportedMethods);
  for (const method of METHODS) {
    if (method !== UNROUTED_METHOD && !routed.has(method)) fastify.addHttpMethod(method, { hasBody: true });
  }
  // Answered with 100 once somebody is going to read the body.
  fastify.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    fastify.server.emit('request', request, response);
  });
  fastify.server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    refuse(socket, new ApiError('not_implemented', 'This service is no proxy.'));
  });
  return adapter;
}

/** A path that is not valid percent-encoding: no route, and no guard either, because Fastify never routed it. */
function answerUnroutable(_error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const error = new ApiError('not_found', 'There is no such path.');
  writeCommonHeaders(request, reply);
  const { contentType, body } = errorAnswer(error, request.id, request.headers);
  void reply.status(error.status).header('content-type', contentType).send(body);
}

/** Bytes that are not HTTP, or too slow or too many of them: there is no request to answer, only a socket. */
function answerUnparsable(problem: ParserProblem, socket: Socket): void {
  if (problem.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else refuse(socket, unparsable(problem));
}

function refuse(socket: Socket, error: ApiError): void {
  const id = requestIdOf({});
  const body = JSON.stringify(error.body(id));
  socket.end(
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? 'Error'}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `X-Request-Id: ${id}\r\nX-API-Version: v1\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** What Node tells of bytes that it could not parse. */
interface ParserProblem extends Error {
  code?: string;
  /** What arrived last: a Buffer. */
  rawPacket?: unknown;
}

function unparsable({ code, rawPacket }: ParserProblem): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return Buffer.isBuffer(rawPacket) && isUnendedRequestLine(rawPacket)
      ? new ApiError('uri_too_long', `The URL and the headers have at most ${MAX_HEADER_BYTES} bytes together.`)
      : new ApiError('header_fields_too_large', `The headers have at most ${MAX_HEADER_BYTES} bytes together.`);
  }
  if (code === 'HPE_INVALID_METHOD') return new ApiError('not_implemented', 'There is no such method.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ApiError('request_timeout', 'The request did not arrive in time.');
  return new ApiError('bad_request', 'This is not HTTP.');
}

/** Whether the packet begins a request and its limit was reached before the first line ended. */
function isUnendedRequestLine(packet: Buffer): boolean {
  const end = packet.indexOf('\r\n');
  return /^[A-Z-]{3,20} \//.test(packet.toString('latin1', 0, 24)) && (end === -1 || end > MAX_HEADER_BYTES);
}
