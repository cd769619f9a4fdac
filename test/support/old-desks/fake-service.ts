import type { ServerResponse } from 'node:http';
import { type Received, Receiver, type Reply } from '../receiver';
import { type OldDesk, oldDesk } from './old-desk';

/** What was asked, as far as answers depend on it. */
export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
  headers: Received['headers'];
  /** Where the service is, for links. */
  base: string;
}

/** A service as its documentation shows it. No account of any was at hand: each shape names the page that it follows. */
export interface FakeService {
  source: string;
  /** What a ticket is known by there; its number unless given. */
  idOf?: (id: number) => string;
  /** What a ticket that is done is. */
  done?: 'closed';
  connection(base: string): object;
  /** Whether the request carries the credentials of the connection. */
  isLetIn(asked: Asked): boolean;
  /** Whether its tickets have files beside those of their comments; yes unless it says no. */
  ticketFiles?: false;
  /** Which file is asked for, by its id; its content is the answer. */
  file?(asked: Asked): string | undefined;
  /** What it answers; undefined = there is no such thing. */
  answer(asked: Asked, desk: OldDesk): object | undefined;
}

/** The server of a service: answers in its shapes, and fails as it is told. */
export class ServiceServer {
  readonly receiver = new Receiver();
  desk = oldDesk();
  /** Answers in place of the next ones. */
  faults: (Reply | 'hang' | 'cut' | 'endless' | ((request: Received) => Promise<Reply>) | null)[] = [];
  private service: FakeService | null = null;

  get base(): string {
    return this.receiver.at('');
  }

  /** Paths that were asked for, queries included. */
  get asked(): string[] {
    return this.receiver.requests.map(({ path }) => path);
  }

  /** From now on it is that service, with a desk as good as new. */
  become(service: FakeService): void {
    this.service = service;
    this.desk = oldDesk();
    this.faults = [];
    this.receiver.forget();
    this.receiver.answer((request, response) => {
      const fault = this.faults.shift() ?? null;
      if (fault === 'cut') {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100000' });
        response.write('{"tickets": [');
        setImmediate(() => response.destroy());
        return 'hang';
      }
      if (fault === 'endless') {
        endless(response, '{"users": [');
        return 'hang';
      }
      return typeof fault === 'function' ? fault(request) : (fault ?? this.reply(request));
    });
  }

  reply(request: Received): Reply {
    const { service } = this;
    if (!service) return 404;
    const url = new URL(request.path, this.base);
    const asked: Asked = {
      method: request.method,
      path: url.pathname,
      query: url.searchParams,
      body: request.body === '' ? {} : (JSON.parse(request.body) as Record<string, unknown>),
      headers: request.headers,
      base: this.base,
    };
    if (!service.isLetIn(asked)) return { status: 401, body: '{"error":"Couldn\'t authenticate you"}' };
    const wanted = service.file?.(asked);
    const file = this.desk.files.find(({ id }) => String(id) === wanted);
    if (file) return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body: file.content };
    const answer = service.answer(asked, this.desk);
    return answer === undefined ? { status: 404, body: '{}' } : { status: 200, body: JSON.stringify(answer) };
  }
}

/** Answers for as long as somebody listens. */
export function endless(response: ServerResponse, beginning = ''): void {
  const more = Buffer.alloc(65_536, 0x20);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write(beginning);
  const go = (): void => {
    while (!response.destroyed && response.write(more));
  };
  response.on('drain', go);
  go();
}

/** A server for the tests of a file. */
export function useServiceServer(): ServiceServer {
  const server = new ServiceServer();
  beforeAll(() => server.receiver.listen());
  afterAll(() => server.receiver.close());
  return server;
}
