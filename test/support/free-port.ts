import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that the kernel gives to whoever asks for any, and above 10080, the last one that `fetch` asks nobody at. */
const FIRST = 11_000;
/** Of each worker of a run: nobody else of the run is given one of them. */
const OF_WORKER = 1_000;
const WORKERS = 10;

const given = new Set<number>();

/**
 * A port of the loopback interface that nobody listens on, for a program that is told its port and binds it only later, or
 * again and again: one that the kernel chose, or another test, could meanwhile become somebody else's.
 */
export async function freePort(): Promise<number> {
  const worker = Number(process.env.JEST_WORKER_ID ?? 0) % WORKERS;
  const first = FIRST + worker * OF_WORKER;
  for (;;) {
    const port = randomInt(first, first + OF_WORKER);
    if (given.has(port)) continue;
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue;
    }
    server.close();
    await once(server, 'close');
    given.add(port);
    return port;
  }
}
