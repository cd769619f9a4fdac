import { randomFillSync } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

const ACCEPTED = /^[\w-]{1,64}$/;

/** Random bytes of one id, and of how many they are drawn at once: drawing costs more than everything else about an id. */
const BYTES = 16;
const pool = Buffer.alloc(256 * BYTES);
let drawn = pool.length;
/** Of the id before: those of one millisecond are numbered (RFC 9562, 6.2, method 1). */
let last = { msecs: 0, seq: 0 };

/**
 * The id of a request: the client's own `X-Request-Id` when it is 1 to 64 word characters or hyphens (nothing else may
 * reach headers and logs), else `req_` and a fresh UUIDv7, so that ids sort by time.
 */
export function requestIdOf(headers: Readonly<Record<string, string | string[] | undefined>>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && ACCEPTED.test(given) ? given : `req_${freshId()}`;
}

function freshId(): string {
  const random = nextRandom();
  const msecs = Math.max(Date.now(), last.msecs);
  // Begun in the lower half, it does not run over.
  last = { msecs, seq: msecs > last.msecs ? random.readUInt32BE() >>> 2 : last.seq + 1 };
  return uuidv7({ random, ...last });
}

function nextRandom(): Buffer {
  if (drawn === pool.length) {
    randomFillSync(pool);
    drawn = 0;
  }
  return pool.subarray(drawn, (drawn += BYTES));
}
