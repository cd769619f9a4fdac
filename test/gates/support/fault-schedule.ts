import { setTimeout as sleep } from 'node:timers/promises';

/** Things of one kind that are to happen. */
export interface Fault {
  name: string;
  times: number;
  act: () => void | Promise<void>;
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Lets every kind of fault happen so many times within the duration, at random moments, the kinds at the same time.
 *
 * @returns the moment of the last one's end, milliseconds since 1970
 */
export async function runFaults(
  faults: readonly Fault[],
  durationMs: number,
  random: () => number,
  say: (line: string) => void,
): Promise<number> {
  const startedAt = Date.now();
  const track = async ({ name, times, act }: Fault): Promise<void> => {
    for (let n = 0; n < times; n++) {
      // One in each of as many slots: close together and far apart, but spread over the whole time.
      const dueAt = startedAt + ((n + 0.1 + 0.8 * random()) / times) * durationMs;
      await sleep(Math.max(0, dueAt - Date.now()));
      if (times < 20 || n % 10 === 9) say(`${name} ${n + 1} of ${times}.`);
      await act();
    }
  };
  await Promise.all(faults.filter(({ times }) => times > 0).map(track));
  return Date.now();
}
