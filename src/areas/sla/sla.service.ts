import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
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
    const [rows] = await this.database.batch([
      {
        text: `SELECT p.id, p.targets FROM sla_policies p
          LEFT JOIN companies c ON c.workspace_id = p.workspace_id AND c.id = $2 AND c.sla_policy_id = p.id
          LEFT JOIN categories g ON g.workspace_id = p.workspace_id AND g.id = $3 AND g.sla_policy_id = p.id
          WHERE p.workspace_id = $1 AND (p.is_default OR ((c.id IS NOT NULL OR g.id IS NOT NULL) AND p.is_active))
          ORDER BY (c.id IS NOT NULL) DESC, (g.id IS NOT NULL) DESC LIMIT 1`,
        values: [currentWorkspaceId(), companyId, categoryId],
      },
    ]);
    const row = rows?.[0];
    return row ? { id: Number(row[0]), targets: JSON.parse(row[1] ?? '{}') as SlaTargets } : null;
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
