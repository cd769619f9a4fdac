import type { Readable } from 'node:stream';

/** One message to another server. */
export interface OutboundRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  /** Names that `isReservedHeader` tells are left out. */
  headers: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** For everything: names, connection, answer and its body; that of the profile unless given. */
  timeoutMs?: number;
}

/**
 * Why there is no complete answer. What may be told to the API's client is `code` and `message`; they do not tell a
 * refused address from one that does not answer, or the service would be a way to look around its own network.
 */
export interface OutboundError {
  code:
    'unreachable' | 'timeout' | 'tls' | 'reset' | 'too_large' | 'too_large_headers' | 'protocol' | 'invalid_request';
  /** One sentence for the API's client. */
  message: string;
  /** For the operator's log alone. */
  cause: OutboundCause;
}

export type OutboundCause =
  'blocked_address' | 'dns' | 'refused' | 'connect_timeout' | Exclude<OutboundError['code'], 'unreachable'>;

/** How it went. A message has arrived when `error` is null and `status` is 2xx. */
export interface OutboundResult {
  /** Null when no answer began. */
  status: number | null;
  /** From the call to its end, whole milliseconds. */
  durationMs: number;
  /** The beginning of the answer as text, as much as the profile keeps; null when no answer began. */
  body: string | null;
  /** Of the answer: those that say how to go on (`retry-after`, `location`, …), in lower case. */
  headers: Record<string, string>;
  error: OutboundError | null;
}

/** An answer whose body is read as it comes. */
export interface OutboundAnswer extends Pick<OutboundResult, 'status' | 'headers' | 'error'> {
  /** Fails with `OutboundFailure`; to be read to its end or destroyed. Null when no answer began. */
  body: Readable | null;
}

const messages: Readonly<Record<OutboundError['code'], string>> = {
  unreachable: 'The server could not be reached.',
  timeout: 'The server did not answer completely in time.',
  tls: 'No secure connection was possible: check the certificate.',
  reset: 'The server closed the connection before it had answered.',
  too_large: 'The answer is too large.',
  too_large_headers: 'The headers of the answer are too large.',
  protocol: 'The answer is not HTTP.',
  invalid_request: 'The message cannot be sent: check the address and the headers.',
};

const told: Partial<Record<OutboundCause, OutboundError['code']>> = {
  blocked_address: 'unreachable',
  dns: 'unreachable',
  refused: 'unreachable',
  connect_timeout: 'unreachable',
};

export function outboundError(cause: OutboundCause): OutboundError {
  const code = told[cause] ?? (cause as OutboundError['code']);
  return { code, message: messages[code], cause };
}

/** What an error of Node's means. `connected` = the server had accepted the connection. */
export function causeOf(error: NodeJS.ErrnoException, connected: boolean): OutboundCause {
  const code = error.code ?? '';
  if (error instanceof BlockedAddress) return 'blocked_address';
  if (code === 'HPE_HEADER_OVERFLOW') return 'too_large_headers';
  if (code.startsWith('HPE_')) return 'protocol';
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_|SELF_SIGNED|UNABLE_|EPROTO|HOSTNAME_MISMATCH)/.test(code)) return 'tls';
  if (['ERR_INVALID_CHAR', 'ERR_INVALID_HTTP_TOKEN', 'ERR_INVALID_URL', 'ERR_UNESCAPED_CHARACTERS'].includes(code)) {
    return 'invalid_request';
  }
  return connected ? 'reset' : 'refused';
}

/** Why the body of an answer did not come to its end. */
export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure';
  readonly error: OutboundError;

  constructor(cause: OutboundCause) {
    const error = outboundError(cause);
    super(error.message);
    this.error = error;
  }
}

/** A connection to an address that nothing may be sent to. */
export class BlockedAddress extends Error {
  override readonly name = 'BlockedAddress';
}

const reserved = new Set(
  (
    'host connection keep-alive proxy-connection transfer-encoding te trailer upgrade content-length expect ' +
    'accept-encoding proxy-authorization proxy-authenticate'
  ).split(' '),
);

/** Whether a header belongs to the connection and is none of the sender's: it could smuggle or redirect requests. */
export function isReservedHeader(name: string): boolean {
  return reserved.has(name.toLowerCase());
}
