import fc from 'fast-check';
import { callAttempt, httpAttempt } from '../../src/platform/delivery/attempt';
import { verdictOf } from '../../src/platform/delivery/deliveries';
import {
  CALL_RETRIES,
  EVENT_RETRIES,
  MAIL_RETRIES,
  NO_RETRIES,
  retryAfterSeconds,
  retryDelayMs,
} from '../../src/platform/delivery/retries';
import type { OutboundResult } from '../../src/platform/outbound/outbound-result';

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

function answer(status: number | null, headers: Record<string, string> = {}): OutboundResult {
  return { status, headers, durationMs: 1, body: null, error: null };
}

describe('the pauses between attempts', () => {
  it('are 1 min, 5 min, 30 min, 1 h, 6 h for events: six attempts in all', () => {
    expect(EVENT_RETRIES.pauses).toEqual([60, 300, 1_800, 3_600, 21_600]);
    expect([1, 2, 3, 4, 5, 6].map((attempt) => retryDelayMs(EVENT_RETRIES, attempt, null, 0))).toEqual([
      60_000,
      300_000,
      1_800_000,
      3_600_000,
      21_600_000,
      null,
    ]);
  });

  it('is never early, at most 5 % late, and at most twice as long when the receiver asks', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.option(fc.integer({ min: 0, max: 1e9 })),
        random,
        (attempt, asked, chance) => {
          const step = (EVENT_RETRIES.pauses[attempt - 1] ?? 0) * 1_000;
          const delay = retryDelayMs(EVENT_RETRIES, attempt, asked, chance) ?? 0;
          expect(delay).toBeGreaterThanOrEqual(Math.max(step, Math.min((asked ?? 0) * 1_000, step * 2)));
          expect(delay).toBeLessThanOrEqual(asked === null ? step * 1.05 + 1 : step * 2);
          expect(Number.isInteger(delay)).toBe(true);
        },
      ),
    );
  });

  it('has nothing after the last attempt', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 6, max: 1_000 }),
        random,
        (attempt, chance) => retryDelayMs(EVENT_RETRIES, attempt, 60, chance) === null,
      ),
    );
  });

  it('are four for mail, three for calls, none for what was asked for once, and exact', () => {
    const pauses = [MAIL_RETRIES, CALL_RETRIES, NO_RETRIES].map((policy) =>
      [1, 2, 3, 4, 5].map((attempt) => retryDelayMs(policy, attempt, 99_999)),
    );
    expect(pauses).toEqual([
      [60_000, 300_000, 1_800_000, 7_200_000, null],
      [60_000, 300_000, 1_800_000, null, null],
      [null, null, null, null, null],
    ]);
  });

  it('reads Retry-After as seconds or a date', () => {
    const now = new Date('2026-10-20T08:00:00Z');
    expect(retryAfterSeconds('120', now)).toBe(120);
    expect(retryAfterSeconds(' 0 ', now)).toBe(0);
    expect(retryAfterSeconds('0.5', now)).toBe(0.5);
    expect(retryAfterSeconds('Tue, 20 Oct 2026 08:01:30 GMT', now)).toBe(90);
    expect(retryAfterSeconds('Tue, 20 Oct 2026 07:00:00 GMT', now)).toBe(0);
    for (const nonsense of [undefined, '', '-1', '1.5.5', 'soon', '2026-10-20', '9'.repeat(10), '1e3'])
      expect([nonsense, retryAfterSeconds(nonsense, now)]).toEqual([nonsense, null]);
  });
});

describe('an attempt', () => {
  it('of an event has arrived with 2xx, is permanent with 410, and may be asked to wait with 429 and 503', () => {
    const now = new Date('2026-10-20T08:00:00Z');
    expect(httpAttempt(answer(204), now)).toEqual({ arrived: true, isPermanent: false, askedSeconds: null });
    expect(httpAttempt(answer(410), now)).toMatchObject({ arrived: false, isPermanent: true });
    expect(httpAttempt(answer(404), now)).toMatchObject({ arrived: false, isPermanent: false });
    expect(httpAttempt(answer(302), now)).toMatchObject({ arrived: false, isPermanent: false });
    const later = { 'retry-after': '90' };
    const asked = [429, 503, 500].map((status) => httpAttempt(answer(status, later), now).askedSeconds);
    expect(asked).toEqual([90, 90, null]);
  });

  it('of a call is permanent when the server refused it', () => {
    const statuses = [400, 404, 410, 408, 429, 500, 503, null];
    expect(statuses.filter((status) => callAttempt(answer(status)).isPermanent)).toEqual([400, 404, 410]);
  });

  it('leads to nothing, to another one, or to the end', () => {
    const made = { arrived: false, isPermanent: false, askedSeconds: null };
    expect(verdictOf({ ...made, arrived: true }, 1, MAIL_RETRIES)).toMatchObject({
      status: 'arrived',
      retryInMs: null,
    });
    expect(verdictOf(made, 4, MAIL_RETRIES)).toEqual({ attempt: 4, status: 'retrying', retryInMs: 7_200_000 });
    expect(verdictOf(made, 5, MAIL_RETRIES)).toEqual({ attempt: 5, status: 'failed', retryInMs: null });
    expect(verdictOf({ ...made, isPermanent: true }, 1, MAIL_RETRIES)).toMatchObject({ status: 'failed' });
  });
});
