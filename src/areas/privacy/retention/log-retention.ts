import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { LogTerms } from '../../../platform/privacy/log-terms';
import { held, RetentionRules } from './retention-rules';

/** Whether an entry about a ticket is held with it. @param ticket SQL of its id  @param tag SQL, text */
const heldWith = (ticket: string, tag: string): string =>
  `EXISTS (SELECT FROM tickets t WHERE t.workspace_id = r.workspace_id AND t.id = ${ticket} AND ${held(tag)})`;

/** Entries of logs whose time is over in the current workspace. */
@Injectable()
export class LogRetention {
  constructor(
    private readonly database: Database,
    private readonly rules: RetentionRules,
    private readonly terms: LogTerms,
  ) {}

  /** Deletes some; answers how many. The rule is asked anew each time. */
  async some(runId: number): Promise<number> {
    const workspaceId = currentWorkspaceId();
    const { before, tag } = await this.database.transaction(() => this.rules.of('logs'));
    if (before === null) return 0;
    return this.database.system(async () => {
      const count = await this.terms.prune(workspaceId, { before, tag, heldWith });
      await this.database.query(
        `UPDATE retention_runs SET deleted_count = deleted_count + $3 WHERE workspace_id = $1 AND id = $2`,
        [workspaceId, runId, count],
      );
      return count;
    });
  }

  /** How many entries of each log would go. @param days instead of those of the rule */
  async count(
    days: number | null,
  ): Promise<{ days: number | null; before: string | null; counts: Record<string, number> }> {
    const workspaceId = currentWorkspaceId();
    const { before, tag, ...rule } = await this.database.transaction(() => this.rules.of('logs', days));
    const counts = before === null ? {} : await this.terms.count(workspaceId, { before, tag, heldWith });
    return { days: rule.days, before, counts };
  }
}
