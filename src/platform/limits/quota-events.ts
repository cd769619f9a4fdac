import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../database/database';
import { announce } from '../events/announce';
import { PeriodicJobs } from '../schedule/periodic-jobs';

const EVERY_MS = 15_000;

interface Crossing {
  workspace_id: number;
  month: string;
  used: number;
  limit: number;
}

/** The marks of a month's quota, in percent: strictly above the first, at the second. */
const marks = [
  { type: 'quota.warning', column: 'warned_at', condition: 'q.used * 100 > p.monthly_quota * 80' },
  { type: 'quota.exceeded', column: 'exceeded_at', condition: 'q.used >= p.monthly_quota' },
] as const;

/** Announces once a month when a workspace has used most of its quota, and when all of it. */
@Injectable()
export class QuotaEvents implements OnModuleInit {
  constructor(
    private readonly jobs: PeriodicJobs,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.jobs.register('quota-events', EVERY_MS, () => this.run());
  }

  /** One round; inside `Database.system()`. */
  async run(): Promise<void> {
    for (const { type, column, condition } of marks) {
      const crossings = await this.database.query<Crossing>(
        `UPDATE quota_usage q SET ${column} = now() FROM subscriptions s JOIN plans p ON p.id = s.plan_id
         WHERE s.workspace_id = q.workspace_id AND s.status = 'active' AND p.monthly_quota > 0
           AND q.month = date_trunc('month', now() AT TIME ZONE 'UTC')::date AND q.${column} IS NULL AND ${condition}
         RETURNING q.workspace_id, to_char(q.month, 'YYYY-MM') AS month, q.used, p.monthly_quota AS limit`,
      );
      for (const { workspace_id, month, used, limit } of crossings) {
        const record = { month, used, limit, pct: Math.floor((used * 100) / limit) };
        await announce(this.database, workspace_id, type, workspace_id, record);
      }
    }
  }
}
