import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrived. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The exact bytes of the body, as text. */
  body: string;
  at: number;
}

/** What to answer: a status, or more; a function decides for each request. */
export type Reply =
  | number
  | {
      status: number;
      headers?: Record<string, string>;
      body?: string | Buffer;
    };
export type Replier = (request: Received, response: ServerResponse) => Reply | Promise<Reply | 'hang'> | 'hang';

/** A local HTTP receiver that records what it gets and answers as told: 204 until told otherwise. */
export class Receiver {
  readonly requests: Received[] = [];
  private replier: Replier = () => 204;
  private server: Server | null = null;

  /** `http://127.0.0.1:<port>/hook`, once it listens. Needs `webhookAllowCidrs: ['127.0.0.1/32']`. */
  get url(): string {
    return this.at('/hook');
  }

  at(path: string): string {
    const { port } = this.server?.address() as AddressInfo;
    return `http://127.0.0.1:${port}${path}`;
  }

  /** From now on answers so. `hang` (from a function) never answers. */
  answer(reply: Reply | Replier): void {
    this.replier = typeof reply === 'function' ? reply : () => reply;
  }

  /** What arrived at a path, oldest first. */
  received(path = '/hook'): Received[] {
    return this.requests.filter((request) => request.path === path);
  }

  forget(): void {
    this.requests.length = 0;
  }

  async listen(): Promise<void> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('error', () => undefined);
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        const received = { method, path: url, headers, body: Buffer.concat(chunks).toString('utf8'), at: Date.now() };
        this.requests.push(received);
        void this.reply(received, response);
      });
    });
    this.server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    const { server } = this;
    this.server = null;
    server?.closeAllConnections();
    await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
  }

  private async reply(received: Received, response: ServerResponse): Promise<void> {
    const reply = await this.replier(received, response);
    if (reply === 'hang') return;
    const { status, headers = {}, body = '' } = typeof reply === 'number' ? { status: reply } : reply;
    response.writeHead(status, headers).end(body);
  }
}

/** A receiver for the tests of a file; forgets before each test what it got, and answers 204 again. */
export function useReceiver(): Receiver {
  const receiver = new Receiver();
  beforeAll(() => receiver.listen());
  beforeEach(() => {
    receiver.forget();
    receiver.answer(204);
  });
  afterAll(() => receiver.close());
  return receiver;
}
