import { Agent, request } from 'undici';
import { departureOf } from './document-answers';

/** A record as answered: ids are always there, the rest depends on the resource. */
export interface Fields {
  id: number;
  [name: string]: unknown;
}

/** The error of the uniform body. */
export interface AnsweredError {
  type: string;
  message: string;
  status: number;
  request_id: string;
  missing?: string[];
  details?: { field: string; code: string; message: string; [extra: string]: unknown }[];
}

export interface Body {
  data?: unknown;
  meta?: Record<string, unknown>;
  links?: Record<'first' | 'next' | 'prev' | 'last', string | null>;
  error?: AnsweredError;
  [name: string]: unknown;
}

/** By name in lower case. */
type AnsweredHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** What came back, read once. */
export class Answer {
  constructor(
    readonly status: number,
    private readonly received: AnsweredHeaders,
    /** The exact body. */
    readonly text: string,
  ) {}

  /** Every header; what came several times is one value, joined by commas. */
  get headers(): Headers {
    const values = Object.keys(this.received).map((name): [string, string] => [name, this.header(name) ?? '']);
    return new Headers(values);
  }

  get body(): Body {
    return JSON.parse(this.text) as Body;
  }

  /** The record of a single-resource answer. */
  get data(): Fields {
    return this.body.data as Fields;
  }

  /** The records of a list answer. */
  get rows(): Fields[] {
    return this.body.data as Fields[];
  }

  get meta(): Record<string, unknown> {
    return this.body.meta ?? {};
  }

  get error(): AnsweredError {
    const { error } = this.body;
    if (!error) throw new Error(`Expected an error, got ${this.status}: ${this.text.slice(0, 500)}`);
    return error;
  }

  /** The codes of `error.details` by field. */
  get codes(): Record<string, string> {
    return Object.fromEntries((this.error.details ?? []).map(({ field, code }) => [field, code]));
  }

  header(name: string): string | null {
    const value = this.received[name.toLowerCase()];
    return value === undefined ? null : [value].flat().join(', ');
  }

  /** This answer, provided that it has the status; otherwise an error that shows the body. */
  expect(status: number): this {
    if (this.status !== status) throw new Error(`Expected ${status}, got ${this.status}: ${this.text.slice(0, 1000)}`);
    return this;
  }
}

type RequestHeaders = Record<string, string>;

/** Connections are given up long before the service does that: both are one process, whose timers are late together. */
const connections = new Agent({ keepAliveMaxTimeout: 20_000 });

/**
 * A client of the API over real HTTP. Paths are relative to `/v1` unless they are whole URLs. Follows no redirect, asks for no
 * compression, and costs about half of what `fetch` does, which is built of the same parts. An answer that is not what the
 * OpenAPI document says fails the test that asked for it.
 */
export class Api {
  constructor(
    readonly url: string,
    readonly token: string | null,
  ) {}

  get(path: string, headers: RequestHeaders = {}): Promise<Answer> {
    return this.send('GET', path, { headers });
  }

  post(path: string, body?: unknown, headers: RequestHeaders = {}): Promise<Answer> {
    return this.send('POST', path, { body, headers });
  }

  patch(path: string, body?: unknown, headers: RequestHeaders = {}): Promise<Answer> {
    return this.send('PATCH', path, { body, headers });
  }

  put(path: string, body?: unknown, headers: RequestHeaders = {}): Promise<Answer> {
    return this.send('PUT', path, { body, headers });
  }

  delete(path: string, headers: RequestHeaders = {}): Promise<Answer> {
    return this.send('DELETE', path, { headers });
  }

  /** Strings and buffers are sent as they are, everything else as JSON. */
  async send(
    method: string,
    path: string,
    options: { body?: unknown; headers?: RequestHeaders } = {},
  ): Promise<Answer> {
    const { body, headers = {} } = options;
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const url = path.startsWith('http') ? path : `${this.url}/v1${path}`;
    const response = await request(url, {
      dispatcher: connections,
      method,
      headers: {
        ...(this.token === null ? {} : { authorization: `Bearer ${this.token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
    });
    const answer = new Answer(response.statusCode, response.headers, await response.body.text());
    const departure = await departureOf(method, new URL(url), answer);
    if (departure !== null) throw new Error(departure);
    return answer;
  }
}

/** A client of `url`, with or without a token. */
export function api(url: string, token: string | null = null): Api {
  return new Api(url, token);
}
