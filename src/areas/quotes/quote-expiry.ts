import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { eachAlone } from '../../platform/schedule/each-alone';
import { PeriodicJobs, RUN_AGAIN } from '../../platform/schedule/periodic-jobs';
import { QuoteTransitions } from './quote-transitions.service';

const EVERY_MS = 10_000;
const BATCH = 200;
const ACTOR = { type: 'system', id: null, name: 'system' } as const;

/**
 * Notes that quotes have expired, with the event that goes with it. What is shown and allowed does not wait for it: an
 * open quote has expired from its end on.
 */
@Injectable()
export class QuoteExpiry implements OnModuleInit {
  constructor(
    private readonly jobs: PeriodicJobs,
    private readonly database: Database,
    private readonly transitions: QuoteTransitions,
  ) {}

  onModuleInit(): void {
    this.jobs.register('quote-expiry', EVERY_MS, () => this.run(), { byClock: true });
  }

  /** One round; inside `Database.system()`. A quote that cannot be changed keeps no other waiting. */
  async run(): Promise<unknown> {
    const due = await this.database.query<{ workspace_id: number; id: number }>(
      `SELECT workspace_id, id FROM quotes WHERE status IN ('sent', 'viewed') AND expires_at <= now()
       ORDER BY expires_at LIMIT ${BATCH}`,
    );
    const expire = ({ workspace_id, id }: (typeof due)[number]): Promise<unknown> =>
      this.database.inWorkspace(workspace_id, ACTOR, () => this.transitions.expire(id));
    await eachAlone(due, expire, 'quotes could not expire');
    return due.length === BATCH ? RUN_AGAIN : undefined;
  }
}
