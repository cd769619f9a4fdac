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
  /** The acting user of the workspace, when the token belongs to one. */
  user: { id: number; name: string; email: string; role: string } | null;
}
