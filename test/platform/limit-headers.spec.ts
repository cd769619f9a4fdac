import fc from 'fast-check';
import type { AccessPlan } from '../../src/platform/context/access';
import { limitHeaders, quotaPercent } from '../../src/platform/http/limit-headers';

function plan(monthly_quota: number, overage_enabled = false, rate_limit_per_minute = 60): AccessPlan {
  return { key: 'k', name: 'K', rate_limit_per_minute, monthly_quota, overage_enabled };
}

function headersAt(quotaUsed: number, quota: number, overage = false): Record<string, string> {
  return limitHeaders({ plan: plan(quota, overage), quotaUsed });
}

/** The percentage of a quota of 1 must still be an exact number. */
const amount = fc.integer({ min: 0, max: Math.floor(Number.MAX_SAFE_INTEGER / 100) });
const quotas = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

describe('rate and quota headers', () => {
  it('tell the plan and the usage', () => {
    expect(limitHeaders({ plan: plan(10_000), quotaUsed: 1234 })).toEqual({
      'x-ratelimit-limit': '60',
      'x-quota-limit': '10000',
      'x-quota-used': '1234',
      'x-quota-pct': '12',
    });
  });

  it.each([
    [8000, undefined],
    [8001, 'approaching-limit'],
    [10_000, 'approaching-limit'],
  ])('at %d of 10,000 the warning is %s', (used, warning) => {
    expect(headersAt(used, 10_000)['x-quota-warning']).toBe(warning);
  });

  it('announce overage only above the quota of a plan that allows it', () => {
    expect(headersAt(10_000, 10_000, true)['x-quota-status']).toBeUndefined();
    expect(headersAt(10_001, 10_000, true)['x-quota-status']).toBe('overage');
    expect(headersAt(10_001, 10_000, false)['x-quota-status']).toBeUndefined();
  });

  it('never warn about an unlimited quota', () => {
    expect(headersAt(1e9, 0, true)).toMatchObject({ 'x-quota-limit': '0', 'x-quota-pct': '0' });
    expect(headersAt(1e9, 0, true)['x-quota-warning']).toBeUndefined();
    expect(headersAt(1e9, 0, true)['x-quota-status']).toBeUndefined();
  });

  it('leave usage out when none is known, and name zero limits without a plan', () => {
    expect(limitHeaders({ plan: null, quotaUsed: null })).toEqual({
      'x-ratelimit-limit': '0',
      'x-quota-limit': '0',
    });
  });

  it('round the percentage down, exactly, for any figures', () => {
    fc.assert(
      fc.property(amount, quotas, (used, quota) => {
        const percent = BigInt(quotaPercent(used, quota));
        expect(percent * BigInt(quota) <= BigInt(used) * 100n).toBe(true);
        expect((percent + 1n) * BigInt(quota) > BigInt(used) * 100n).toBe(true);
      }),
    );
  });

  it('warn exactly when more than four fifths are used, for any figures', () => {
    fc.assert(
      fc.property(amount, quotas, (used, quota) => {
        const warned = headersAt(used, quota)['x-quota-warning'] !== undefined;
        expect(warned).toBe(5n * BigInt(used) > 4n * BigInt(quota));
      }),
    );
  });
});
