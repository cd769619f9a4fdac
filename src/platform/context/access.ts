import type { BuiltInRole } from './permission-table';

/** A developer or licence plan. A rate or quota of 0 means unlimited (decision 13). */
export interface AccessPlan {
  key: string;
  name: string;
  /** Requests in any 60 seconds, per token. */
  rate_limit_per_minute: number;
  /** Requests per UTC month, per workspace. */
  monthly_quota: number;
  overage_enabled: boolean;
}

/** Behaviour an owner may change per workspace; the areas say what there is. */
export type WorkspaceSettings = Readonly<Record<string, string | number | boolean | null>>;

/** Everything the guards and `/me` need to know about a token, read with one query and cached for seconds. */
export interface Access {
  token: {
    id: number;
    type: 'developer' | 'tenant';
    name: string;
    scopes: readonly string[];
    created_at: string;
    expires_at: string | null;
    last_used_at: string | null;
    user_id: number | null;
  };
  workspace: {
    id: number;
    slug: string;
    name: string;
    kind: 'developer' | 'tenant';
    timezone: string;
    locale: string;
    currency: string;
    settings: WorkspaceSettings;
  };
  developer: { id: number; name: string; status: 'active' | 'suspended' } | null;
  app: { id: number; name: string; status: 'active' | 'suspended' | 'archived' } | null;
  tenant: { id: number; name: string; status: 'active' | 'suspended' } | null;
  /** The plan of the active subscription or licence; null when there is none. */
  plan: AccessPlan | null;
  /** The acting user of the workspace: whose token it is, or on whose behalf it is used. */
  user: ActingUser | null;
}

/** Which tickets a user works on: all, those of their teams and their own, or their own. From the widest to the narrowest. */
export const REACHES = ['all', 'teams', 'assigned'] as const;
export type Reach = (typeof REACHES)[number];

/** An active user of the workspace, with what their role allows. */
export interface ActingUser {
  id: number;
  name: string;
  email: string;
  /** One of the built-in roles. */
  role: BuiltInRole;
  /** The custom role that takes the place of the built-in one. */
  role_id: number | null;
  role_name: string | null;
  /** Permissions of the custom role; null when there is none. */
  permissions: readonly string[] | null;
  /** The narrower of those of the user and the custom role. */
  ticket_scope: Reach;
  team_ids: readonly number[];
}
