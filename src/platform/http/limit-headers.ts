import type { AccessPlan } from '../context/access';

/** What the plan grants and what has been used, as the headers tell the client. */
export interface LimitFigures {
  /** Null when the workspace has no active subscription; its limits are then written as 0. */
  plan: AccessPlan | null;
  /** Requests of this month, this one included; null when nothing is known. */
  quotaUsed: number | null;
  /** The limit of the route in place of the plan's: requests in any so many seconds. */
  ownRate?: { limit: number; seconds: number } | null;
  /** Requests left in the window; null when there is no limit. */
  rateRemaining?: number | null;
  /** Whole seconds until there will be more. */
  rateResetSeconds?: number;
}

/** Header values that depend on a plan's limit alone, written once for each limit that occurs. */
const policies = new Map<number, { limit: string; policy: string }>();

function policyOf(rate: number): { limit: string; policy: string } {
  let known = policies.get(rate);
  if (!known) policies.set(rate, (known = policyIn(rate, 60)));
  return known;
}

function policyIn(rate: number, seconds: number): { limit: string; policy: string } {
  return { limit: String(rate), policy: `"default";q=${rate};w=${seconds}` };
}

/**
 * The rate and quota headers of one response. Pure. A limit of 0 means unlimited (decision 13); percentages are exact
 * integers rounded down, and the warning appears strictly above 80 %. `RateLimit` and `RateLimit-Policy` are those of
 * draft-ietf-httpapi-ratelimit-headers-10, with the one policy "default".
 */
export function limitHeaders({
  plan,
  quotaUsed,
  ownRate = null,
  rateRemaining = null,
  rateResetSeconds = 0,
}: LimitFigures): Record<string, string> {
  const rate = ownRate?.limit ?? plan?.rate_limit_per_minute ?? 0;
  const quota = plan?.monthly_quota ?? 0;
  const policy = ownRate ? policyIn(rate, ownRate.seconds) : policyOf(rate);
  const headers: Record<string, string> = {
    'x-ratelimit-limit': policy.limit,
    'x-quota-limit': String(quota),
  };
  if (rate > 0 && rateRemaining !== null) {
    headers['x-ratelimit-remaining'] = String(rateRemaining);
    headers['x-ratelimit-reset'] = String(rateResetSeconds);
    headers['ratelimit-policy'] = policy.policy;
    headers.ratelimit = `"default";r=${rateRemaining};t=${rateResetSeconds}`;
  }
  if (quotaUsed === null) return headers;
  headers['x-quota-used'] = String(quotaUsed);
  headers['x-quota-pct'] = String(quotaPercent(quotaUsed, quota));
  // Cross-multiplied: 80.0000001 % warns and exactly 80 % does not, without floating point.
  if (quota > 0 && BigInt(quotaUsed) * 100n > BigInt(quota) * 80n) headers['x-quota-warning'] = 'approaching-limit';
  if (quota > 0 && quotaUsed > quota && plan?.overage_enabled === true) headers['x-quota-status'] = 'overage';
  return headers;
}

/** Used quota in whole percent, rounded down; 0 when the quota is unlimited. */
export function quotaPercent(used: number, quota: number): number {
  return quota > 0 ? Number((BigInt(used) * 100n) / BigInt(quota)) : 0;
}
