import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { Outbound } from '../../../src/platform/outbound/outbound';
import type { OutboundResult } from '../../../src/platform/outbound/outbound-result';

/** What to send: so many messages at once to each of these. */
export interface Order {
  urls: string[];
  times: number;
  bodyBytes: number;
  /** How long to wait before connections are counted. */
  letGoMs: number;
}

/** What came of it. */
export interface Outcome {
  /** Of each message. */
  results: { url: string; ms: number; kept: number; result: Pick<OutboundResult, 'status' | 'error'> }[];
  /** Most bytes that a connection handed to the process. */
  mostRead: number;
  /** Growth of the resident memory, at the worst moment, in megabytes. */
  grownMegabytes: number;
  /** Connections that were open long after everything had ended. */
  leaked: number;
  /** Handles of the process then, beside those before. */
  moreHandles: number;
}

const SAMPLE_MS = 25;
const MEBIBYTE = 1_024 ** 2;

const sockets = new Set<Socket>();
let mostRead = 0;
subscribe('net.client.socket', (message) => {
  const { socket } = message as { socket: Socket };
  sockets.add(socket);
  socket.once('close', () => {
    mostRead = Math.max(mostRead, socket.bytesRead);
    sockets.delete(socket);
  });
});

const outbound = new Outbound({ webhookAllowCidrs: ['127.0.0.1/32'] });

async function send(order: Order): Promise<Outcome['results']> {
  const body = Buffer.alloc(order.bodyBytes, 'x');
  return Promise.all(
    Array.from({ length: order.times }, () => order.urls)
      .flat()
      .map(async (url) => {
        const startedAt = performance.now();
        const { status, error, body: text } = await outbound.send({ method: 'POST', url, headers: {}, body });
        const ms = performance.now() - startedAt;
        return { url, ms, kept: Buffer.byteLength(text ?? ''), result: { status, error } };
      }),
  );
}

async function carryOut(order: Order): Promise<Outcome> {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  const handles = countHandles();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, SAMPLE_MS);
  const results = await send(order);
  clearInterval(timer);
  await new Promise((resolve) => setTimeout(resolve, order.letGoMs));
  return {
    results,
    mostRead: Math.max(mostRead, ...[...sockets].map(({ bytesRead }) => bytesRead)),
    grownMegabytes: (most - before) / MEBIBYTE,
    leaked: sockets.size,
    moreHandles: countHandles() - handles,
  };
}

function countHandles(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind.startsWith('TCP') || kind === 'Timeout').length;
}

process.on('message', (order: Order) => {
  void carryOut(order).then((outcome) => process.send?.(outcome));
});
