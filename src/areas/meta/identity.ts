import type { Access, AccessPlan } from '../../platform/auth/access';
import { quotaPercent } from '../../platform/http/limit-headers';

/** What `GET /me` tells about a token. Timestamps are ISO 8601 UTC; a limit of 0 means unlimited. */
export interface Identity {
  token: Omit<Access['token'], 'user_id'>;
  workspace: Pick<Access['workspace'], 'id' | 'name' | 'slug' | 'timezone' | 'locale' | 'currency'>;
  app: Access['app'];
  plan: AccessPlan | null;
  usage: { month: string; used: number; limit: number; pct: number; resets_at: string };
  user: Access['user'];
}

/** The identity behind a token. `used` counts this month's requests, this one included. */
export function identityOf({ token, workspace, app, plan, user }: Access, used: number, now: Date): Identity {
  const { user_id: _, ...shown } = token;
  const { id, name, slug, timezone, locale, currency } = workspace;
  const limit = plan?.monthly_quota ?? 0;
  return {
    token: shown,
    workspace: { id, name, slug, timezone, locale, currency },
    app,
    plan,
    usage: {
      month: now.toISOString().slice(0, 7),
      used,
      limit,
      pct: quotaPercent(used, limit),
      resets_at: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString(),
    },
    user,
  };
}
