import type { AccessPlan } from '../auth/access';

/** What the plan grants and what has been used, as the headers tell the client. */
export interface LimitFigures {
  /** Null when the workspace has no active subscription; its limits are then written as 0. */
  plan: AccessPlan | null;
  /** Requests of this month, this one included; null when nothing is known. */
  quotaUsed: number | null;
}

/**
 * The rate and quota headers of one response. Pure. A limit of 0 means unlimited (decision 13); percentages are exact
 * integers rounded down, and the warning appears strictly above 80 %.
 */
export function limitHeaders({ plan, quotaUsed }: LimitFigures): Record<string, string> {
  const rate = plan?.rate_limit_per_minute ?? 0;
  const quota = plan?.monthly_quota ?? 0;
  const headers: Record<string, string> = {
    'x-ratelimit-limit': String(rate),
    'x-quota-limit': String(quota),
  };
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
