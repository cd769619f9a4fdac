// Own reads: the ids of a run are computed columns of its entity, which a repository cannot ask for.
import { Injectable } from '@nestjs/common';
import type { Action } from '../../../platform/area/rules';
import { type ActionCause, type StoredActions, TicketActions } from '../../sla/ticket-actions';
import { clockNow } from '../../../platform/context/clock';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { JobQueue } from '../../../platform/queue/job-queue';
import { PlainHeaders } from '../plain-headers';
import { RuleCheck } from '../rule-check';
import { ActionRunner } from './action-runner';
import { RunReader } from './run-reader';
import { RecordReader } from './record-reader';
import { pseudoRule, type RunRecord } from './rule';
import { recordOf, type RunFrame } from './run-frame';
import { RunWriter } from './run-writer';
import { RuleContext } from './rule-context';
import { Turns } from './turns';
import { unitAs } from './unit';

/** Performs actions for other areas (the escalation steps of SLA policies), with a row in the log like any rule. */
@Injectable()
export class EngineTicketActions extends TicketActions {
  constructor(
    private readonly database: Database,
    private readonly reader: RunReader,
    private readonly records: RecordReader,
    private readonly actions: ActionRunner,
    private readonly writer: RunWriter,
    private readonly queue: JobQueue,
    private readonly rules: RuleCheck,
    private readonly turns: Turns,
    private readonly plain: PlainHeaders,
  ) {
    super();
  }

  check(path: string, actions: readonly unknown[]): Promise<Action[]> {
    return this.rules.actions(path, actions);
  }

  keepSealed(stored: StoredActions): void {
    this.plain.keepSealed(stored);
  }

  async run(ticketId: number, actions: readonly Action[], cause: ActionCause): Promise<void> {
    const { hours } = await this.reader.book();
    const { source, key } = cause;
    const actor = { type: 'automation' as const, id: null, name: source.name };
    const causation = { rootEventId: null, depth: 1, automationIds: [] };
    const seen = await this.database.transaction(() => this.records.read('ticket', ticketId));
    const turns = seen
      ? await this.turns.take(actions, { object: 'ticket', objectId: ticketId, record: seen.record })
      : null;
    await unitAs(this.database, actor, causation, async () => {
      const startedAt = performance.now();
      const { around } = await this.records.lock('ticket', ticketId, null);
      if (!around || (await this.hasRun(key, ticketId))) return;
      const event = { type: `${source.type}.escalation`, uid: null, actor, changes: null, comment: null };
      const rule = pseudoRule(source.name, event.type, actions);
      const context = new RuleContext('ticket', ticketId, event, around, hours, clockNow(), rule, causation);
      if (turns) context.turns = turns;
      const frame: RunFrame = { engineRunId: null, eventId: null, rootEventId: key, depth: 0, dry: false, attempt: 1 };
      const acted = await this.actions.run(rule.actions, context, false);
      const { records } = acted;
      const failed = records.filter(({ status }) => status === 'failed').length;
      const record: RunRecord = {
        ...recordOf(rule, context, frame),
        status: failed === 0 ? 'executed' : failed === records.length ? 'failed' : 'partial',
        actions: records,
        duration_ms: Math.round(performance.now() - startedAt),
      };
      await this.writer.write(rule, context, frame, record, acted, false);
      this.database.afterCommit(() => this.queue.wake());
    });
  }

  private async hasRun(key: string, ticketId: number): Promise<boolean> {
    const rows = await this.database.query(
      `SELECT FROM automation_runs WHERE workspace_id = $1 AND root_event_id = $2 AND object = 'ticket' AND object_id = $3
         AND automation_id IS NULL AND status IN ('executed', 'failed', 'partial')`,
      [currentWorkspaceId(), key, ticketId],
    );
    return rows.length > 0;
  }
}
