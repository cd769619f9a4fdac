import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

/** What a hostile server does with a connection (null) and with a request on it. */
export type Abuse = (socket: Socket, request: string | null) => void;

const DRIP_MS = 250;
const head = (more: string): string => `HTTP/1.1 200 OK\r\n${more}\r\n`;

/** Sends one piece after another, slowly, until the client leaves. */
function drip(pieces: (index: number) => string): Abuse {
  return onRequest((socket) => {
    let index = 0;
    const timer = setInterval(() => socket.write(pieces(index++)), DRIP_MS);
    socket.once('close', () => clearInterval(timer));
  });
}

/** Sends as much as the client takes, up to a size. */
function flood(start: string, chunk: Buffer, bytes: number): Abuse {
  return onRequest((socket) => {
    socket.write(start);
    let left = bytes;
    const pour = (): void => {
      while (left > 0 && !socket.destroyed) {
        left -= chunk.length;
        if (!socket.write(chunk)) {
          socket.once('drain', pour);
          return;
        }
      }
    };
    pour();
  });
}

/** Once a connection, with the first bytes of the request. */
function onRequest(act: (socket: Socket) => void): Abuse {
  const begun = new WeakSet<Socket>();
  return (socket, request) => {
    if (request === null || begun.has(socket)) return;
    begun.add(socket);
    act(socket);
  };
}

const gibibyte = 1_024 ** 3;
/** 16 MB of zeros in 16 KB, many times over. */
const bomb = gzipSync(Buffer.alloc(16 * 1_024 ** 2));

/** Ways to hold a sender or to fill it. */
export const abusers: Readonly<Record<string, Abuse>> = {
  'accepts and says nothing': () => undefined,
  'says nothing after the status line': onRequest((socket) => socket.write('HTTP/1.1 200 OK\r\n')),
  'says nothing after the headers': onRequest((socket) => socket.write(head('content-length: 5\r\n'))),
  'says nothing after half a body': onRequest((socket) => socket.write(`${head('content-length: 5\r\n')}ab`)),
  'drips the headers': drip((index) => head('').charAt(index) || 'x'),
  'drips endless headers': drip((index) => (index === 0 ? 'HTTP/1.1 200 OK\r\n' : `x-${index}: 1\r\n`)),
  'drips the body': drip((index) => (index === 0 ? head('content-length: 100000\r\n') : 'x')),
  'drips chunks': drip((index) => (index === 0 ? head('transfer-encoding: chunked\r\n') : '1\r\nx\r\n')),
  'drips interim answers': drip(() => 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'),
  'pours interim answers': flood('', Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'.repeat(2_000)), gibibyte),
  'sends 1 GB with a length': flood(head(`content-length: ${gibibyte}\r\n`), Buffer.alloc(65_536, 'x'), gibibyte),
  'sends 1 GB until the end': flood(head(''), Buffer.alloc(65_536, 'x'), gibibyte),
  'sends 1 GB in chunks': flood(
    head('transfer-encoding: chunked\r\n'),
    Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`),
    gibibyte,
  ),
  'sends a chunk with a long extension': flood(
    `${head('transfer-encoding: chunked\r\n')}1;`,
    Buffer.alloc(65_536, 'x'),
    gibibyte,
  ),
  'sends endless trailers': flood(
    `${head('transfer-encoding: chunked\r\n')}0\r\n`,
    Buffer.from('x: 1\r\n'.repeat(9_000)),
    gibibyte,
  ),
  'sends a gzip bomb': flood(head('content-encoding: gzip\r\n'), bomb, bomb.length * 1_000),
  'sends 64 KB of headers': onRequest((socket) => socket.write(head(`x: ${'a'.repeat(1_000)}\r\n`.repeat(64)))),
  'sends one endless header': flood('HTTP/1.1 200 OK\r\nx: ', Buffer.alloc(65_536, 'a'), gibibyte),
  'sends one endless status line': flood('HTTP/1.1 200 ', Buffer.alloc(65_536, 'a'), gibibyte),
  'resets after the request': onRequest((socket) => socket.resetAndDestroy()),
  'resets after the headers': onRequest((socket) => {
    socket.write(head('content-length: 5\r\n'), () => socket.resetAndDestroy());
  }),
  'resets at once': (socket) => socket.resetAndDestroy(),
  'closes at once': (socket) => socket.end(),
  'never reads': (socket) => socket.pause(),
};
