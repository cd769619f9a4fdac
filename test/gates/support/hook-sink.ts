import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What arrived at an endpoint under one `webhook-id`. */
export interface Copies {
  count: number;
  /** SHA-256 of the first body. */
  hash: string;
  type: string;
  /** `timestamp` of the event, milliseconds since 1970: when its transaction began. */
  eventAt: number;
  /** When the first one had arrived, milliseconds since 1970. */
  firstAt: number;
}

/** Receives webhooks of many endpoints, one per path, and remembers what came. */
export class HookSink {
  /** By path, then by `webhook-id`. */
  readonly received = new Map<string, Map<string, Copies>>();
  requests = 0;
  /** Requests that were not the first attempt of a delivery. */
  repeated = 0;
  /** Bodies that differ from an earlier copy. */
  altered = 0;
  /** Signatures that do not match the secret. */
  forged = 0;
  lastAt = 0;
  private readonly secrets = new Map<string, string>();
  private readonly server: Server;

  constructor() {
    this.server = createServer({ keepAliveTimeout: 30_000 }, (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('error', () => undefined);
      request.on('end', () => {
        this.note(request, Buffer.concat(chunks));
        response.writeHead(204).end();
      });
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  at(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  /** From now on signatures at this path are checked. */
  trust(path: string, secret: string): void {
    this.secrets.set(path, secret);
  }

  of(path: string): ReadonlyMap<string, Copies> {
    return this.received.get(path) ?? new Map<string, Copies>();
  }

  forget(path: string): void {
    this.received.delete(path);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private note({ url: path = '', headers }: IncomingMessage, body: Buffer): void {
    this.requests++;
    this.lastAt = Date.now();
    if (headers['x-service-attempt'] !== '1') this.repeated++;
    const secret = this.secrets.get(path);
    if (secret !== undefined) {
      const expected = createHmac('sha256', secret).update(body).digest('hex');
      if (headers['x-service-signature'] !== expected) this.forged++;
    }
    const hash = createHash('sha256').update(body).digest('base64');
    const id = String(headers['webhook-id']);
    const copies = this.received.get(path) ?? new Map<string, Copies>();
    this.received.set(path, copies);
    const earlier = copies.get(id);
    if (!earlier) {
      const type = String(headers['x-service-event']);
      const { timestamp } = JSON.parse(body.toString('utf8')) as { timestamp: string };
      const eventAt = Date.parse(timestamp);
      copies.set(id, { count: 1, hash, type, eventAt, firstAt: this.lastAt });
      return;
    }
    earlier.count++;
    if (earlier.hash !== hash) this.altered++;
  }
}
