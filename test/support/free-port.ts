import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that the kernel gives to whoever asks for any, and below the README's. */
const [FIRST, END] = [10_000, 20_000];

/**
 * A port of the loopback interface that nobody listens on, for a program that is told its port and binds it only later, or
 * again and again: one that the kernel chose could meanwhile become somebody else's.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
