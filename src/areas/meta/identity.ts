import type { Access } from '../../platform/context/access';
import { quotaPercent } from '../../platform/http/limit-headers';
import {
  AnyMember,
  EnumMember,
  FlagMember,
  IntegerMember,
  MomentMember,
  ObjectMember,
  TextMember,
} from '../../platform/http/answer-members';

/** A token, without what it is made of. */
export class ShownToken {
  @IntegerMember()
  id: number;

  @EnumMember(['developer', 'tenant'])
  type: 'developer' | 'tenant';

  @TextMember()
  name: string;

  @AnyMember({ type: 'array', items: { type: 'string', enum: ['read', 'write', '*'] } })
  scopes: readonly string[];

  @MomentMember()
  created_at: string;

  @MomentMember({ nullable: true })
  expires_at: string | null;

  @MomentMember({ nullable: true })
  last_used_at: string | null;
}

export class ShownWorkspace {
  @IntegerMember()
  id: number;

  @TextMember()
  name: string;

  @TextMember()
  slug: string;

  @TextMember()
  timezone: string;

  @TextMember()
  locale: string;

  @TextMember()
  currency: string;
}

export class ShownApp {
  @IntegerMember()
  id: number;

  @TextMember()
  name: string;

  @EnumMember(['active', 'suspended', 'archived'])
  status: 'active' | 'suspended' | 'archived';
}

export class ShownPlan {
  @TextMember()
  key: string;

  @TextMember()
  name: string;

  @IntegerMember({ description: '0 = unlimited' })
  rate_limit_per_minute: number;

  @IntegerMember({ description: '0 = unlimited' })
  monthly_quota: number;

  @FlagMember()
  overage_enabled: boolean;
}

export class ShownUsage {
  @TextMember({ example: '2026-11' })
  month: string;

  @IntegerMember()
  used: number;

  @IntegerMember()
  limit: number;

  @IntegerMember()
  pct: number;

  @MomentMember()
  resets_at: string;
}

export class ShownUser {
  @IntegerMember()
  id: number;

  @TextMember()
  name: string;

  @TextMember({ format: 'email' })
  email: string;

  @TextMember()
  role: string;
}

/** What `GET /me` tells about a token. Timestamps are ISO 8601 UTC; a limit of 0 means unlimited. */
export class Identity {
  @ObjectMember(() => ShownToken)
  token: ShownToken;

  @ObjectMember(() => ShownWorkspace)
  workspace: ShownWorkspace;

  @ObjectMember(() => ShownApp, { nullable: true })
  app: ShownApp | null;

  @ObjectMember(() => ShownPlan, { nullable: true })
  plan: ShownPlan | null;

  @ObjectMember(() => ShownUsage)
  usage: ShownUsage;

  @ObjectMember(() => ShownUser, { nullable: true })
  user: ShownUser | null;
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
