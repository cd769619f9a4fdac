import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { Query } from '../../../platform/postgres/statement-batch';
import { withRelated } from '../../../platform/resource/change';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { Automation } from '../automation.entity';
import type { Rule } from './rule';
import type { RuleContext } from './rule-context';

/** Events further than this from the one that began the chain start nothing. */
export const MAX_DEPTH = 5;
/** Runs that changed something, of one rule: on one record in ten minutes, and on all in an hour. */
const MAX_RUNS_PER_RECORD = 30;
const MAX_RUNS_PER_HOUR = 1_000;

/** Why a rule whose conditions are met does not run: a loop guard (product reference 4.4), or it is no longer active. */
export type Refusal = 'already_ran' | 'once_per_ticket' | 'inactive' | 'suspended';

/** How often a rule has run, and whether it may at all. */
interface Standing {
  active: boolean;
  ran: boolean;
  once: boolean;
  on_record: number;
  in_hour: number;
}

/** Looks, the record being locked, whether a rule may run; suspends one that runs too often. */
@Injectable()
export class Guards {
  constructor(
    @InjectStore(Automation) private readonly automations: Store<Automation>,
    private readonly database: Database,
  ) {}

  /** Statement whose row `refusal` reads; to be run after the record was locked. */
  statement(ruleId: number, context: RuleContext, rootEventId: string): Query<Standing> {
    return { text: STANDING, values: [currentWorkspaceId(), ruleId, context.object, context.objectId, rootEventId] };
  }

  /** Null when the rule may run. Inside the unit of work of the rule. */
  async refusal(
    rule: Rule & { id: number },
    context: RuleContext,
    standing: Standing | undefined,
  ): Promise<Refusal | null> {
    if (!standing?.active) return 'inactive';
    if (standing.ran) return 'already_ran';
    if (rule.run_once_per_ticket && standing.once) return 'once_per_ticket';
    if (standing.on_record >= MAX_RUNS_PER_RECORD) {
      await this.suspend(
        rule,
        context,
        `It ran more than ${MAX_RUNS_PER_RECORD} times on ${context.object} ${context.objectId} in 10 minutes.`,
      );
      return 'suspended';
    }
    // A schedule bounds itself: it cannot be part of a loop.
    if (standing.in_hour >= MAX_RUNS_PER_HOUR && context.event.type !== 'schedule') {
      await this.suspend(rule, context, `It ran more than ${MAX_RUNS_PER_HOUR} times in an hour.`);
      return 'suspended';
    }
    return null;
  }

  /** Under the lock of the rule, so that of many runs only one suspends it and says so. */
  private async suspend(rule: Rule & { id: number }, context: RuleContext, reason: string): Promise<void> {
    const held = await this.automations.lockIfAny(rule.id);
    if (!held?.is_active) return;
    await this.automations.apply(held, {
      values: { is_active: false, suspended_at: await this.database.moment(), suspended_reason: reason },
      events: withRelated(['automation.suspended'], {
        reason,
        record: { object: context.object, id: context.objectId },
      }),
    });
  }
}

/** Counts stop at the limits: however often a rule ran, this reads no more than a thousand entries of an index. */
const STANDING = `
  SELECT
    EXISTS (SELECT FROM automations WHERE workspace_id = $1 AND id = $2 AND is_active) AS active,
    EXISTS (SELECT FROM automation_runs WHERE workspace_id = $1 AND root_event_id = $5 AND object = $3 AND object_id = $4
      AND automation_id = $2 AND status IN ('executed', 'failed', 'partial')) AS ran,
    EXISTS (SELECT FROM automation_once WHERE workspace_id = $1 AND automation_id = $2 AND ticket_id = $4 AND $3 = 'ticket') AS once,
    (SELECT count(*)::integer FROM (SELECT FROM automation_runs WHERE workspace_id = $1 AND automation_id = $2 AND acted
      AND created_at > now() - interval '10 minutes' AND object_id = $4 AND object = $3 LIMIT ${MAX_RUNS_PER_RECORD}) r) AS on_record,
    (SELECT count(*)::integer FROM (SELECT FROM automation_runs WHERE workspace_id = $1 AND automation_id = $2 AND acted
      AND created_at > now() - interval '1 hour' AND event <> 'schedule' LIMIT ${MAX_RUNS_PER_HOUR}) r) AS in_hour`;
