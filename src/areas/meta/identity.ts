import { type Access, type ActingUser, REACHES } from '../../platform/context/access';
import { BUILT_IN_ROLES, declaredPermissions } from '../../platform/context/permission-table';
import { tokenPrincipal } from '../../platform/context/principal';
import { quotaPercent } from '../../platform/http/limit-headers';
import {
  AnyMember,
  EnumMember,
  FlagMember,
  IdMember,
  IntegerMember,
  MomentMember,
  ObjectMember,
  TextMember,
} from '../../platform/http/answer-members';

/** A token, without what it is made of. */
export class ShownToken {
  @IdMember()
  id: number;

  @EnumMember(['developer', 'tenant'])
  type: 'developer' | 'tenant';

  @TextMember()
  name: string;

  @AnyMember({ type: 'array', items: { type: 'string', enum: ['read', 'write', 'impersonate', '*'] } })
  scopes: readonly string[];

  @MomentMember()
  created_at: string;

  @MomentMember({ nullable: true })
  expires_at: string | null;

  @MomentMember({ nullable: true })
  last_used_at: string | null;
}

export class ShownWorkspace {
  @IdMember()
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
  @IdMember()
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

/** A custom role, by name. */
export class ShownRole {
  @IdMember()
  id: number;

  @TextMember()
  name: string;
}

export class ShownUser {
  @IdMember()
  id: number;

  @TextMember()
  name: string;

  @TextMember({ format: 'email' })
  email: string;

  @EnumMember(BUILT_IN_ROLES)
  role: string;

  @ObjectMember(() => ShownRole, { nullable: true, description: 'The custom role that takes its place.' })
  custom_role: ShownRole | null;

  @EnumMember(REACHES, {
    description: 'Which tickets they see: the narrower of their own and that of the custom role.',
  })
  ticket_scope: string;

  @AnyMember({ type: 'array', items: { type: 'integer', format: 'int64' } })
  team_ids: readonly number[];

  @FlagMember({ description: 'Whether the token said on whose behalf it acts (`X-On-Behalf-Of`).' })
  is_on_behalf: boolean;
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

  @AnyMember(
    { type: 'array', items: { type: 'string' }, example: ['tickets.read', 'tickets.comment'] },
    { description: 'What this token may: its scopes, and within them the role of the user.' },
  )
  permissions: readonly string[];
}

/** The identity behind a token. `used` counts this month's requests, this one included. */
export function identityOf(access: Access, used: number, now: Date): Identity {
  const { token, workspace, app, plan, user } = access;
  const { permissions } = tokenPrincipal(access);
  const { user_id, ...shown } = token;
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
    user: user && shownUser(user, user_id === null),
    permissions: declaredPermissions()
      .map(({ name }) => name)
      .filter((name) => permissions.allows(name)),
  };
}

function shownUser(
  { id, name, email, role, role_id, role_name, ticket_scope, team_ids }: ActingUser,
  is_on_behalf: boolean,
): ShownUser {
  const custom_role = role_id === null ? null : { id: role_id, name: role_name ?? '' };
  return { id, name, email, role, custom_role, ticket_scope, team_ids, is_on_behalf };
}
