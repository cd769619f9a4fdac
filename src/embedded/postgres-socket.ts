import { readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** Of `sockaddr_un` on macOS; Linux has four bytes more. The last one is a zero. */
const LONGEST_PATH = 103;

/**
 * The directory of PostgreSQL's socket: its data directory, which nobody else can enter. The way by a socket is shorter than that over
 * TCP, for both ends. Null where TCP must do: the path is too long for a socket, or the file system has none (some mounts).
 *
 * @param data absolute path of the data directory
 */
export async function socketDirectory(data: string, port: number): Promise<string | null> {
  if (process.platform === 'win32') return null;
  if (Buffer.byteLength(join(data, `.s.PGSQL.${port}`)) > LONGEST_PATH) return null;
  return (await takesSockets(data)) ? data : null;
}

/** Whether sockets can be made in a directory: one is made, and goes when it is closed. */
function takesSockets(directory: string): Promise<boolean> {
  const path = join(directory, '.s.probe');
  rmSync(path, { force: true });
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(path, () => server.close(() => resolve(true)));
  });
}

/** Removes the sockets of a postmaster that was killed, and the files that say whose they were: that number may be another process's now. */
export function removeLeftSockets(data: string): void {
  for (const name of readdirSync(data).filter((entry) => entry.startsWith('.s.')))
    rmSync(join(data, name), { force: true });
}
