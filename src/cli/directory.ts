import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import { momentSql } from '../platform/database/moment-sql';
import { ProvisioningError } from '../platform/auth/provisioning-error';

/** A workspace in a list of all; times ISO 8601. */
export interface WorkspaceLine {
  id: number;
  slug: string;
  name: string;
  kind: 'developer' | 'tenant';
  /** Key of the active plan; null = no subscription or licence. */
  plan: string | null;
  /** Whether its calls are accepted, and if not, why. */
  standing: string;
  created_at: string;
}

/** Everything an operator may want to know about one workspace. */
export interface WorkspaceSheet extends WorkspaceLine {
  timezone: string;
  locale: string;
  currency: string;
  settings: Record<string, unknown>;
  owner: { id: number; name: string; status: string };
  app: { id: number; name: string; status: string } | null;
  /** Valid tokens. */
  tokens: number;
  /** Requests counted in this UTC month. */
  used_this_month: number;
}

/** A token in a list; its text is not kept anywhere. Times ISO 8601. */
export interface TokenLine {
  id: number;
  workspace: string;
  name: string;
  type: 'developer' | 'tenant';
  scopes: string[];
  /** Beginning and end of the text. */
  hint: string;
  user: { id: number; name: string; email: string } | null;
  status: 'valid' | 'expired' | 'revoked';
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
}

/** A user of a workspace, as far as the operator names one. */
export interface NamedUser {
  id: number;
  name: string;
  email: string;
}

const LINE = `w.id, w.slug, w.name, w.kind, p.key AS plan,
  CASE WHEN d.status = 'suspended' THEN 'developer suspended' WHEN t.status = 'suspended' THEN 'tenant suspended'
    WHEN a.status <> 'active' THEN 'app ' || a.status WHEN p.key IS NULL THEN 'no subscription' ELSE 'active' END AS standing,
  ${momentSql('w.created_at')} AS created_at`;

const FROM = `FROM workspaces w
  LEFT JOIN developers d ON d.id = w.developer_id LEFT JOIN tenants t ON t.id = w.tenant_id
  LEFT JOIN apps a ON a.workspace_id = w.id
  LEFT JOIN subscriptions s ON s.workspace_id = w.id AND s.status = 'active' LEFT JOIN plans p ON p.id = s.plan_id`;

const VALID = `(k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()))`;

/** Reads who is there: workspaces and tokens of the whole installation, for its operator. */
@Injectable()
export class Directory {
  constructor(private readonly database: Database) {}

  workspaces(): Promise<WorkspaceLine[]> {
    return this.read<WorkspaceLine>(`SELECT ${LINE} ${FROM} ORDER BY w.id`);
  }

  /** @throws ProvisioningError when there is none */
  async workspace(slug: string): Promise<WorkspaceSheet> {
    const [sheet] = await this.read<WorkspaceSheet>(
      `SELECT ${LINE}, w.timezone, w.locale, w.currency, w.settings,
         jsonb_build_object('id', coalesce(d.id, t.id), 'name', coalesce(d.name, t.name), 'status', coalesce(d.status, t.status)) AS owner,
         CASE WHEN a.id IS NOT NULL THEN jsonb_build_object('id', a.id, 'name', a.name, 'status', a.status) END AS app,
         (SELECT count(*)::integer FROM tokens k WHERE k.workspace_id = w.id AND ${VALID}) AS tokens,
         coalesce((SELECT used FROM quota_usage q WHERE q.workspace_id = w.id
           AND q.month = date_trunc('month', now() AT TIME ZONE 'UTC')::date), 0) AS used_this_month
       ${FROM} WHERE w.slug = $1`,
      [slug],
    );
    return sheet ?? missing(slug);
  }

  /**
   * Tokens, the newest last.
   *
   * @param slug those of one workspace; null = of all
   * @param ended expired and revoked ones too
   * @throws ProvisioningError when there is no such workspace
   */
  async tokens(slug: string | null, ended: boolean): Promise<TokenLine[]> {
    if (slug !== null) await this.workspace(slug);
    return this.read<TokenLine>(
      `SELECT k.id, w.slug AS workspace, k.name, k.type, k.scopes, k.prefix || '…' || k.last4 AS hint,
         CASE WHEN u.id IS NOT NULL THEN jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email) END AS user,
         CASE WHEN k.revoked_at IS NOT NULL THEN 'revoked' WHEN ${VALID} THEN 'valid' ELSE 'expired' END AS status,
         ${momentSql('k.created_at')} AS created_at, ${momentSql('k.expires_at')} AS expires_at, ${momentSql('k.last_used_at')} AS last_used_at
       FROM tokens k JOIN workspaces w ON w.id = k.workspace_id
         LEFT JOIN users u ON u.workspace_id = k.workspace_id AND u.id = k.user_id
       WHERE ($1::text IS NULL OR w.slug = $1) AND ($2 OR ${VALID}) ORDER BY k.id`,
      [slug, ended],
    );
  }

  /**
   * The active user of a workspace by id or e-mail address.
   *
   * @throws ProvisioningError when there is none, or the user is not active
   */
  async activeUser(slug: string, idOrEmail: string): Promise<NamedUser> {
    const { id: workspaceId } = await this.workspace(slug);
    const [user] = await this.read<NamedUser & { status: string }>(
      `SELECT id, name, email, status FROM users WHERE workspace_id = $1 AND (id::text = $2 OR lower(email) = lower($2))`,
      [workspaceId, idOrEmail],
    );
    if (!user) throw new ProvisioningError(`There is no user "${idOrEmail}" in workspace "${slug}".`);
    const { status, ...named } = user;
    if (status !== 'active') throw new ProvisioningError(`User ${named.id} (${named.email}) is ${status}, not active.`);
    return named;
  }

  private read<T extends object>(text: string, values: unknown[] = []): Promise<T[]> {
    return this.database.system(() => this.database.query<T>(text, values));
  }
}

function missing(slug: string): never {
  throw new ProvisioningError(`There is no workspace "${slug}".`);
}
