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

/** Behaviour an owner may change per workspace. */
export interface WorkspaceSettings {
  /** Days after which a resolved ticket closes by itself; 0 = never. */
  auto_close_days?: number;
  /** Days after closing in which a ticket may be reopened; null = always. */
  reopen_window_days?: number | null;
  /** Assigning an open ticket moves it to in_progress. */
  auto_start_on_assign?: boolean;
  /** Requesters are asked by mail to rate how their ticket was resolved. */
  csat_request?: boolean;
}

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
