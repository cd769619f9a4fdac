import { randomFillSync } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

/** Random bytes of one id, and of how many they are drawn at once: drawing costs more than everything else about an id. */
const BYTES = 16;
const pool = Buffer.alloc(256 * BYTES);
let drawn = pool.length;
/** Of the id before: those of one millisecond are numbered (RFC 9562, 6.2, method 1). */
let last = { msecs: 0, seq: 0 };

/** A fresh UUIDv7: ids of a process sort in the order they were made in. */
export function freshId(): string {
  const random = nextRandom();
  const msecs = Math.max(Date.now(), last.msecs);
  // Begun in the lower half, it does not run over.
  last = { msecs, seq: msecs > last.msecs ? random.readUInt32BE() >>> 2 : last.seq + 1 };
  return uuidv7({ random, ...last });
}

/** The same as 32 hexadecimal digits. */
export function compactId(): string {
  return freshId().replaceAll('-', '');
}

function nextRandom(): Buffer {
  if (drawn === pool.length) {
    randomFillSync(pool);
    drawn = 0;
  }
  return pool.subarray(drawn, (drawn += BYTES));
}
