import { type ClientRequest, type IncomingMessage, request as plainRequest, type RequestOptions } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { BodySink } from './body-sink';
import { causeOf, isReservedHeader, type OutboundCause, type OutboundRequest } from './outbound-result';
import type { Pinned, PinnedAgent, PinnedSecureAgent } from './pinned-agents';

const MOST_HEADER_BYTES = 16_384;
/** Interim answers (1xx) have no meaning here and no limit of their own. */
const MOST_INTERIM = 10;
const KEPT_HEADER_LENGTH = 512;
const toldHeaders = ['content-type', 'location', 'retry-after', 'x-ratelimit-reset-after'];

/** Where a message goes: everything vetted before. */
export interface Route {
  url: URL;
  /** The only addresses to connect to. */
  addresses: readonly string[];
  agent: PinnedAgent | PinnedSecureAgent;
  /** Judges the address a connection really has. */
  confirm: (address: string | undefined) => Error | null;
  /** Milliseconds until a connection must stand. */
  connectMs: number;
}

/** What came back besides the body. `cause` null = a complete answer, or as much of it as is read at most. */
export interface Answer {
  status: number | null;
  headers: Record<string, string>;
  cause: OutboundCause | null;
}

/**
 * One request and its answer over a vetted connection; never rejects. A kept connection that the server had just closed
 * is replaced once, before anything was answered.
 *
 * @param signal the deadline of everything
 * @param sink takes the body
 */
export async function exchange(
  request: OutboundRequest,
  route: Route,
  signal: AbortSignal,
  sink: BodySink,
): Promise<Answer> {
  const first = await attempt(request, route, signal, sink);
  return first.stale && !signal.aborted ? (await attempt(request, route, signal, sink, true)).answer : first.answer;
}

function attempt(
  message: OutboundRequest,
  route: Route,
  signal: AbortSignal,
  sink: BodySink,
  fresh = false,
): Promise<{ answer: Answer; stale: boolean }> {
  return new Promise((resolve) => {
    let request: ClientRequest;
    let answer: IncomingMessage | null = null;
    let connected = false;
    let ended = false;

    const end = (cause: OutboundCause | null, stale = false): void => {
      if (ended) return;
      ended = true;
      signal.removeEventListener('abort', timeout);
      // A connection whose answer was not read to its end cannot be used again.
      if (cause !== null || answer?.complete !== true) request.destroy();
      resolve({ answer: { status: answer?.statusCode ?? null, headers: told(answer), cause }, stale });
    };
    const timeout = (): void => end('timeout');
    const fail = (error: Error): void => {
      const stale = request.reusedSocket && answer === null && causeOf(error, connected) === 'reset';
      end(signal.aborted ? 'timeout' : causeOf(error, connected), stale && !fresh);
    };

    try {
      request = begin(message, route, fresh);
    } catch {
      resolve({ answer: { status: null, headers: {}, cause: 'invalid_request' }, stale: false });
      return;
    }
    if (signal.aborted) {
      request.on('error', () => undefined);
      timeout();
      return;
    }
    signal.addEventListener('abort', timeout, { once: true });
    request.on('error', fail);
    // A server may switch protocols or close without a word; both leave the request closed and nothing else.
    request.on('close', () => end('reset'));
    request.on('socket', (socket) => {
      watchConnection(socket, route, (error) => {
        if (error === 'connect_timeout') end(error);
        else if (error) request.destroy(error);
        else connected = true;
      });
    });
    let interim = 0;
    request.on('information', () => {
      if (++interim > MOST_INTERIM) end('protocol');
    });
    request.on('response', (response) => {
      answer = response;
      response.on('error', fail);
      response.on('data', (chunk: Buffer) => {
        if (ended) return;
        const verdict = sink.accept(chunk);
        if (verdict !== null) end(verdict === 'enough' ? null : verdict);
      });
      response.on('end', () => end(response.complete ? null : 'reset'));
      sink.begin(response, end);
    });
    request.end(message.body);
  });
}

function begin({ method, headers, body }: OutboundRequest, route: Route, fresh: boolean): ClientRequest {
  const { url, addresses, agent } = route;
  const own = Object.entries(headers).filter(([name]) => !isReservedHeader(name));
  const options: RequestOptions & Pinned = {
    method,
    agent,
    // None of the kept connections, and not to be kept.
    pin: fresh ? 'fresh' : addresses.join(),
    headers: {
      ...Object.fromEntries(own),
      ...(fresh ? { connection: 'close' } : {}),
      'accept-encoding': 'identity',
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
    },
    lookup: pinnedLookup(addresses),
    maxHeaderSize: MOST_HEADER_BYTES,
    insecureHTTPParser: false,
  };
  return url.protocol === 'https:' ? secureRequest(url, options) : plainRequest(url, options);
}

/** Answers with the vetted addresses; a name is never looked up between the check and the connection. */
function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const vetted = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_name, { all }, answer) => {
    const [first] = vetted;
    // Never in the same turn: a connection that fails at once would fail before anyone listens, and end the process.
    setImmediate(() => {
      if (all === true) answer(null, vetted);
      else answer(null, first?.address ?? '', first?.family);
    });
  };
}

/** Tells once whether a connection stands, and stands to whom it should. */
function watchConnection(
  socket: Socket,
  { confirm, connectMs }: Route,
  tell: (problem: Error | 'connect_timeout' | null) => void,
): void {
  if (!socket.connecting) {
    tell(confirm(socket.remoteAddress));
    return;
  }
  const timer = setTimeout(() => tell('connect_timeout'), connectMs);
  socket.once('close', () => clearTimeout(timer));
  socket.once('connect', () => {
    clearTimeout(timer);
    tell(confirm(socket.remoteAddress));
  });
}

export function told(answer: IncomingMessage | null): Record<string, string> {
  const present = toldHeaders.flatMap((name) => {
    const value = answer?.headers[name];
    return typeof value === 'string' ? [[name, value.slice(0, KEPT_HEADER_LENGTH)] as const] : [];
  });
  return Object.fromEntries(present);
}
