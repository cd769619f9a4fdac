import { createServer, connect, type Server, type Socket } from 'node:net';
import { freePort } from './free-port';

/** A connection to a service that a test can cut or let hang, as networks do. */
export interface NetworkGate {
  /** The service's URL through the gate. */
  url: string;
  /** Ends every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Keeps connections and passes nothing on. */
  hang(): void;
  /** Lets new connections through; those there are stay half-open: alive for the kernel, and nothing ever comes. */
  abandon(): void;
  /** Lets everything through again. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a gate in front of the service that answers at `serviceUrl`. */
export async function openGate(serviceUrl: string): Promise<NetworkGate> {
  const target = new URL(serviceUrl);
  const sockets = new Set<Socket>();
  const lost = new WeakSet<Socket>();
  let hanging = false;
  const pass = (inner: Socket): void => {
    const outer = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => hanging || lost.has(from) || to.write(chunk));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  };
  // It must be free whenever the gate opens again.
  const port = await freePort();
  let server = await listen(createServer(pass), port);
  const cut = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  target.port = String(port);
  // Not by a socket past the gate.
  target.searchParams.delete('host');
  const { port: innerPort } = new URL(serviceUrl);
  const url = target.href;
  target.port = innerPort;
  return {
    url,
    cut,
    hang: () => {
      hanging = true;
    },
    abandon: () => {
      for (const socket of sockets) lost.add(socket);
      hanging = false;
    },
    restore: async () => {
      for (const socket of sockets) if (hanging || lost.has(socket)) socket.destroy();
      hanging = false;
      if (!server.listening) server = await listen(createServer(pass), port);
    },
    close: async () => {
      if (server.listening) await cut();
    },
  };
}

function listen(server: Server, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
