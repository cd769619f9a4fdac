import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { BODY_LIMIT } from './body-reader';
import { limitHandlers } from './deadline';
import { ApiError } from './errors';
import { writeCommonHeaders } from './request-hooks';
import { requestIdOf } from './request-id';

/** Longer than any path that fits into the headers, so that no path is too long to be routed (and answered 404). */
const MAX_PARAM_LENGTH = 20_000;

/** Longest time for an answer: above the 5 s a statement may take, several times over. */
const HANDLER_LIMIT_MS = 20_000;

/** What Node parses and Fastify does not route by itself: these too get the guards and then 404 or 405. */
const UNCOMMON_METHODS = (
  'ACL BIND CHECKOUT COPY LINK LOCK M-SEARCH MERGE MKACTIVITY MKCALENDAR MKCOL MOVE NOTIFY PROPFIND PROPPATCH PURGE ' +
  'REBIND REPORT SEARCH SOURCE SUBSCRIBE UNBIND UNLINK UNLOCK UNSUBSCRIBE'
).split(' ');

/**
 * Fastify behind Nest, with limits on everything a client can make it wait for or hold: 10 s for the headers, 15 s for
 * the request, 20 s for the answer, 16 KiB of headers, 1 MiB of body.
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
    requestTimeout: 15_000,
    connectionTimeout: 30_000,
    keepAliveTimeout: 72_000,
    // While draining, what arrives on an open connection is answered properly and the connection closed.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    http: {
      headersTimeout: 10_000,
      requestTimeout: 15_000,
      // Node looks for overdue requests only this often.
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: 16_384,
    },
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    genReqId: (request: IncomingMessage) => requestIdOf(request.headers),
    frameworkErrors: answerUnroutable,
    clientErrorHandler: answerUnparsable,
  });
  const fastify = adapter.getInstance();
  limitHandlers(fastify, handlerLimitMs);
  for (const method of UNCOMMON_METHODS) fastify.addHttpMethod(method, { hasBody: true });
  return adapter;
}

/** A path that is not valid percent-encoding: no route, and no guard either, because Fastify never routed it. */
function answerUnroutable(_error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const error = new ApiError('not_found', 'There is no such path.');
  writeCommonHeaders(request, reply);
  void reply
    .status(error.status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(error.body(request.id)));
}

/** Bytes that are not HTTP, or too slow or too many of them: there is no request to answer, only a socket. */
function answerUnparsable(problem: Error & { code?: string }, socket: Socket): void {
  if (problem.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, reason] = unparsable(problem.code);
  const id = requestIdOf({});
  const { error } = new ApiError('validation_error', `${reason}.`).body(id);
  const body = JSON.stringify({ error: { ...error, status } });
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${id}\r\n` +
      `X-API-Version: v1\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function unparsable(code: string | undefined): [status: number, reason: string] {
  if (code === 'HPE_HEADER_OVERFLOW') return [431, 'Request Header Fields Too Large'];
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return [408, 'Request Timeout'];
  return [400, 'Bad Request'];
}
