import { createServer as createPlainServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import { testCertificate } from './test-certificate';

/** A server that speaks raw bytes, so that it can behave as badly as a test needs. */
export interface Receiver {
  port: number;
  /** Connections accepted so far. */
  readonly connections: number;
  /** Those that are open. */
  readonly open: number;
  /** Bytes received so far. */
  readonly received: number;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  secure?: boolean;
  host?: string;
  /** A free one unless given. */
  port?: number;
}

/**
 * @param behave called with every connection and then with everything a client sends on it
 */
export async function startReceiver(
  behave: (socket: Socket, request: string | null) => void,
  { secure = false, host = '127.0.0.1', port = 0 }: ReceiverOptions = {},
): Promise<Receiver> {
  const sockets = new Set<Socket>();
  let connections = 0;
  let received = 0;
  const accept = (socket: Socket): void => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      received += chunk.length;
      behave(socket, chunk.toString('latin1'));
    });
    behave(socket, null);
  };
  const server: Server = secure ? createSecureServer(testCertificate, accept) : createPlainServer(accept);
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
    get received() {
      return received;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** A behaviour: the same bytes as the answer to every request. */
export function answering(bytes: string): (socket: Socket, request: string | null) => void {
  return (socket, request) => {
    if (request !== null) socket.write(bytes);
  };
}

/** A complete answer. */
export function response(status: string, body = '', headers = ''): string {
  return `HTTP/1.1 ${status}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`;
}
