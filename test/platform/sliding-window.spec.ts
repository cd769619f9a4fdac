import fc from 'fast-check';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { PARTS, SlidingWindow } from '../../src/platform/limits/sliding-window';
import { slidingWindowScript } from '../../src/platform/limits/sliding-window-script';
import { testServices } from '../support/services';

interface Step {
  waitMs: number;
  wanted: number;
}

const steps = fc.array(
  fc.record({
    waitMs: fc.oneof(fc.nat(3000), fc.nat(20_000), fc.nat(130_000), fc.constant(0)),
    wanted: fc.integer({ min: 1, max: 9 }),
  }),
  { minLength: 1, maxLength: 60 },
);
/** Lengths of windows, in milliseconds; a minute is what plans have. */
const windows = fc.oneof(
  fc.constant(60_000),
  fc.integer({ min: 1, max: 300 }).map((seconds) => seconds * 1000),
  fc.integer({ min: 1, max: 5000 }),
);
/** Redis forgets a window by its own clock, whatever time it is told: these outlast the test. */
const lasting = fc.oneof(fc.constant(60_000), fc.integer({ min: 60_000, max: 300_000 }));
const start = fc.integer({ min: 1_700_000_000_000, max: 1_700_000_100_000 });
const limits = fc.integer({ min: 1, max: 20 });

/** Times of all admitted requests, and what each step was answered. */
function play(
  window: SlidingWindow,
  from: number,
  sequence: Step[],
  limit: number,
): { at: number; admitted: number }[] {
  let now = from;
  return sequence.map(({ waitMs, wanted }) => ({ at: (now += waitMs), admitted: window.admit(now, wanted, limit) }));
}

describe('sliding window', () => {
  it('never admits more than the limit in any window', () => {
    fc.assert(
      fc.property(start, steps, limits, windows, (from, sequence, limit, length) => {
        const played = play(new SlidingWindow(length), from, sequence, limit);
        for (const { at: end } of played) {
          const inWindow = played.filter(({ at }) => at > end - length && at <= end);
          expect(inWindow.reduce((sum, { admitted }) => sum + admitted, 0)).toBeLessThanOrEqual(limit);
        }
      }),
    );
  });

  it('refuses only while the limit is used up within a window and its sixtieth', () => {
    fc.assert(
      fc.property(start, steps, limits, windows, (from, sequence, limit, length) => {
        const played = play(new SlidingWindow(length), from, sequence, limit);
        played.forEach(({ at: now, admitted }, index) => {
          const earlier = played.slice(0, index).filter(({ at }) => at > now - length - length / PARTS);
          const room = limit - earlier.reduce((sum, step) => sum + step.admitted, 0);
          expect(admitted).toBeGreaterThanOrEqual(Math.min(sequence[index]!.wanted, room));
        });
      }),
    );
  });

  it('tells exactly when the next request fits', () => {
    fc.assert(
      fc.property(start, steps, limits, limits, windows, (from, sequence, limit, later, length) => {
        const window = new SlidingWindow(length);
        const played = play(window, from, sequence, limit);
        const now = played.at(-1)!.at;
        // Also after the plan was given another limit.
        const freeIn = window.freeInMs(now, later);
        expect(freeIn).toBeLessThanOrEqual(length);
        if (freeIn === 0) {
          expect(window.admit(now, 1, later)).toBe(1);
        } else {
          expect(window.admit(now + freeIn - 1, 1, later)).toBe(0);
          expect(window.admit(now + freeIn, 1, later)).toBe(1);
        }
      }),
    );
  });

  it('takes an earlier time for the latest one it has seen', () => {
    const window = new SlidingWindow();
    window.add(100_000, 3);
    window.add(90_000, 1);
    expect(window.total(100_000)).toBe(4);
    expect(window.total(161_000)).toBe(0);
  });

  it('does the same in Redis', async () => {
    const redis = new Redis(testServices().redisUrl);
    try {
      await fc.assert(
        fc.asyncProperty(start, steps, limits, lasting, async (from, sequence, limit, length) => {
          const window = new SlidingWindow(length);
          const key = `test:${randomUUID()}`;
          let now = from;
          for (const { waitMs, wanted } of sequence) {
            now += waitMs;
            const script = slidingWindowScript(`{'${Math.floor(now / 1000)}', '${(now % 1000) * 1000}'}`);
            const reply = (await redis.eval(script, 1, key, limit, wanted, 0, 0, length)) as number[];
            const [admitted, total, freeMicros = NaN] = reply;
            expect([admitted, total]).toEqual([window.admit(now, wanted, limit), window.total(now)]);
            // Rounded up to whole microseconds.
            expect(Math.abs(freeMicros - window.freeInMs(now, limit) * 1000)).toBeLessThanOrEqual(1);
          }
          await redis.del(key);
        }),
        { numRuns: 40, endOnFailure: true },
      );
    } finally {
      redis.disconnect();
    }
  });

  it('never lets more than the limit be used, also of what Redis has granted ahead and what was given back', async () => {
    const redis = new Redis(testServices().redisUrl);
    const turn = fc.record({
      waitMs: fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 70_000 })),
      wanted: fc.integer({ min: 0, max: 40 }),
      ahead: fc.integer({ min: 0, max: 64 }),
      used: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { maxLength: 64 }),
    });
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.array(turn, { minLength: 1, maxLength: 25 }),
          fc.integer({ min: 1, max: 3_000 }),
          async (turns, limit) => {
            const key = `test:${randomUUID()}`;
            const moments: number[] = [];
            let [now, back, part, counted] = [1_700_000_000_000, 0, 0, 0];
            for (const { waitMs, wanted, ahead, used } of turns) {
              now += waitMs;
              const script = slidingWindowScript(`{'${Math.floor(now / 1000)}', '${(now % 1000) * 1000}'}`);
              const reply = (await redis.eval(
                script,
                1,
                key,
                limit,
                wanted,
                0,
                0,
                60_000,
                ahead,
                back,
                part,
              )) as number[];
              const [admitted = 0, total = 0, , , , granted = 0, at = 0, leftMicros = 0] = reply;
              moments.push(...Array<number>(admitted).fill(now));
              // Only while most of the limit is free for others.
              expect(granted * 32).toBeLessThanOrEqual(Math.max(0, limit - (total - granted)));
              const taken = used.slice(0, granted);
              moments.push(...taken.map((share) => now + share * (leftMicros / 1000)));
              [back, part] = [granted - taken.length, at];
              const inside = moments.filter((moment) => moment > now - 60_000).length;
              expect(inside).toBeLessThanOrEqual(limit);
              counted = total - back;
              expect(counted).toBeGreaterThanOrEqual(
                moments.filter((moment) => moment > now - 59_000 && moment <= now).length,
              );
            }
            for (const end of moments)
              expect(moments.filter((moment) => moment <= end && moment > end - 60_000).length).toBeLessThanOrEqual(
                limit,
              );
            await redis.del(key);
          },
        ),
        { numRuns: 60, endOnFailure: true },
      );
    } finally {
      redis.disconnect();
    }
  });

  it('leaves nothing behind in Redis', async () => {
    const redis = new Redis(testServices().redisUrl);
    try {
      const key = `test:${randomUUID()}`;
      const script = slidingWindowScript(`redis.call('TIME')`);
      // In one step: no time passes in between.
      const [, [, ttl] = []] = (await redis.multi().eval(script, 1, key, 5, 1, 0, 0, 60_000).pttl(key).exec()) ?? [];
      expect(ttl).toBeGreaterThan(61_000);
      expect(ttl).toBeLessThanOrEqual(62_000);
      await redis.del(key);
    } finally {
      redis.disconnect();
    }
  });
});
