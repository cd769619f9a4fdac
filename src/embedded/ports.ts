import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { errorCode, reasonOf, StartError } from './start-error';

const loopback = '127.0.0.1';

/**
 * Finds out whether the API could listen there, before anything is started for it.
 *
 * @param port 0 = any
 * @returns the port; one that is free now where any would do
 * @throws StartError when the address is taken, forbidden, or not one of this machine's
 */
export async function checkPort(host: string, port: number): Promise<number> {
  try {
    const server = await listening(host, port);
    const free = portOf(server) ?? port;
    await closed(server);
    return free;
  } catch (error) {
    throw new StartError(whyNot(host, port, error));
  }
}

/** A loopback port that is free now: the one kept in the file if it still is, else any, which the file then keeps. */
export async function rememberedPort(file: string): Promise<number> {
  const kept = existsSync(file) ? Number(readFileSync(file, 'utf8')) : NaN;
  const wanted = Number.isInteger(kept) && kept > 0 && kept < 65_536 ? kept : 0;
  const server = await listening(loopback, wanted).catch(() => listening(loopback, 0));
  const port = portOf(server);
  await closed(server);
  if (port === null) throw new StartError('No port of 127.0.0.1 is free.');
  writeFileSync(file, `${port}\n`, { mode: 0o600 });
  return port;
}

function portOf(server: Server): number | null {
  const address = server.address();
  return address === null || typeof address === 'string' ? null : address.port;
}

function whyNot(host: string, port: number, error: unknown): string {
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is already in use; stop the other program or set PORT to another number.`;
    case 'EACCES':
      return `This user may not listen on port ${port}; set PORT to a number from 1024 up.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST is ${host}, which is no address of this machine; use 127.0.0.1, or 0.0.0.0 for every interface.`;
    default:
      return `Listening on ${host}:${port} failed (${reasonOf(error)}); set HOST and PORT to an address that is free.`;
  }
}

function listening(host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => {
      resolve(server);
    });
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
  });
}
