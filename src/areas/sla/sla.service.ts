import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { matchedPolicySql } from './policy-match';
import type { SlaTargets } from './sla-targets';

/** The policy that applies to a ticket. */
export interface MatchedPolicy {
  id: number;
  targets: SlaTargets;
}

/** Which policy applies, and what it demands. */
@Injectable()
export class SlaService {
  constructor(private readonly database: Database) {}

  /** The company's policy, else the category's, else the workspace's default; null when there is none. */
  async match(companyId: number | null, categoryId: number | null): Promise<MatchedPolicy | null> {
    const text = matchedPolicySql('$2::bigint', '$3::bigint');
    const [rows] = await this.database.batch([{ text, values: [currentWorkspaceId(), companyId, categoryId] }]);
    const policy = rows?.[0]?.[0] ?? null;
    return policy === null ? null : (JSON.parse(policy) as MatchedPolicy);
  }

  /** A policy by id; null when it is gone. */
  async policy(id: number | null): Promise<MatchedPolicy | null> {
    if (id === null) return null;
    const [row] = await this.database.query<{ id: number; targets: SlaTargets }>(
      `SELECT id, targets FROM sla_policies WHERE workspace_id = $1 AND id = $2`,
      [currentWorkspaceId(), id],
    );
    return row ?? null;
  }
}
