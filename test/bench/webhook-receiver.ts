import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the receiver tells when it is asked. */
export interface Arrivals {
  /** Milliseconds from `timestamp` of each event to its arrival, first copies only. */
  delays: number[];
  copies: number;
}

/** A receiver of webhooks in a process of its own: tells its port, and on every message what has come since the last. */
const delays = new Map<string, number>();
let copies = 0;
const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const now = Date.now();
    const { id, timestamp } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { id: string; timestamp: string };
    copies++;
    if (!delays.has(id)) delays.set(id, now - Date.parse(timestamp));
    response.writeHead(204).end();
  });
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('message', () => {
  process.send?.({ delays: [...delays.values()], copies } satisfies Arrivals);
  delays.clear();
  copies = 0;
});
