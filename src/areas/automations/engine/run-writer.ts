import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { Statement } from '../../../platform/postgres/statement-batch';
import { INSERT_JOBS } from '../../../platform/queue/job-table';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { Automation } from '../automation.entity';
import type { Acted } from './action-runner';
import { hasActed, type RunFrame } from './run-frame';
import type { ActionRecord, Rule, RunRecord } from './rule';
import type { RuleContext } from './rule-context';

export const EFFECT_JOB = 'automation_effect';

/** Writes what rules did: the log, the side effects that follow, counters and events. */
@Injectable()
export class RunWriter {
  constructor(
    @InjectStore(Automation) private readonly automations: Store<Automation>,
    private readonly database: Database,
  ) {}

  /** A run whose conditions were met; the last statements of its unit of work, sent with its COMMIT. */
  async write(
    rule: Rule,
    context: RuleContext,
    frame: RunFrame,
    record: RunRecord,
    acted: Acted,
    stopped: boolean,
  ): Promise<void> {
    const workspaceId = currentWorkspaceId();
    const changed = hasActed(acted.records);
    const [run] = await this.database.query<{ id: number }>(WRITE_RUN, [
      workspaceId,
      JSON.stringify({
        ...record,
        pass_id: frame.engineRunId,
        object: context.object,
        object_id: context.objectId,
        acted: changed,
        stopped,
        event_row: frame.eventId,
        causation: context.causation,
      }),
      JSON.stringify(acted.effects),
      rule.run_once_per_ticket && context.object === 'ticket' && record.status !== 'failed',
    ]);
    if (rule.id === null) return;
    const statements = this.announcements(rule.id, run?.id ?? 0, record, context, changed);
    // The rule's row comes last: runs of other tickets wait for it.
    await this.database.run([...statements, counted(rule.id, acted.error)], true);
  }

  /** A failed side effect, in its unit of work. */
  async failedLater(
    automationId: number,
    runId: number,
    action: ActionRecord,
    about: { object: string; object_id: number; event: string },
  ): Promise<void> {
    const { object, object_id, event } = about;
    const run = { id: runId, object, object_id, event, status: 'failed', actions: [told(action)] };
    await this.database.run([this.automations.announcement(automationId, ['automation.failed'], { run })]);
    await this.database.query(`UPDATE automations SET last_error = $3 WHERE workspace_id = $1 AND id = $2`, [
      currentWorkspaceId(),
      automationId,
      action.error,
    ]);
  }

  /** Nothing is told of a run that changed nothing. */
  private announcements(
    automationId: number,
    runId: number,
    record: RunRecord,
    context: RuleContext,
    changed: boolean,
  ): Statement[] {
    const run = {
      id: runId,
      object: context.object,
      object_id: context.objectId,
      event: record.event,
      status: record.status,
      actions: record.actions.map(told),
    };
    const types = [
      ...(changed ? ['automation.executed'] : []),
      ...(record.status === 'failed' || record.status === 'partial' ? ['automation.failed'] : []),
    ];
    return types.map((type) => this.automations.announcement(automationId, [type], { run }));
  }
}

/** Rows of the log for rules that did nothing: one statement, however many. */
export function logStatement(
  records: readonly RunRecord[],
  engineRunId: number | null,
  object: string,
  objectId: number,
): Statement {
  return {
    text: `INSERT INTO automation_runs (workspace_id, pass_id, object, object_id, ${RECORD_COLUMNS})
      SELECT $1, $2, $3, $4, ${RECORD_COLUMNS} FROM json_to_recordset($5::json) AS v(${RECORD_TYPES})`,
    values: [currentWorkspaceId(), engineRunId, object, objectId, JSON.stringify(records)],
  };
}

const RECORD_COLUMNS =
  'automation_id, automation_version, automation_name, event, event_id, root_event_id, depth, attempt, status, reason, conditions, actions, started_at, duration_ms';
const RECORD_TYPES =
  'automation_id bigint, automation_version integer, automation_name text, event text, event_id text, root_event_id text, ' +
  'depth integer, attempt integer, status text, reason text, conditions json, actions jsonb, started_at timestamptz, duration_ms integer';

/** Effects without a run are jobs at once; those of a run are released when it has ended. */
const WRITE_RUN = `
  WITH v AS (
    SELECT * FROM json_to_record($2::json) AS v(${RECORD_TYPES}, pass_id bigint, object text, object_id bigint, acted boolean,
      stopped boolean, event_row bigint, causation json)
  ), run AS (
    INSERT INTO automation_runs (workspace_id, pass_id, object, object_id, acted, stopped, ${RECORD_COLUMNS})
    SELECT $1::bigint, pass_id, object, object_id, acted, stopped, ${RECORD_COLUMNS} FROM v RETURNING id
  ), effect AS (
    INSERT INTO automation_effects (workspace_id, pass_id, run_id, action_index, automation_id, automation_name, event, event_id, object,
      object_id, payload, causation)
    SELECT $1, v.pass_id, run.id, e.action_index, v.automation_id, v.automation_name, v.event, v.event_row, v.object, v.object_id, e.payload, v.causation
    FROM v, run, json_to_recordset($3::json) AS e(action_index integer, payload jsonb) ORDER BY e.action_index
    RETURNING id, pass_id, object_id
  ), released AS (
    ${INSERT_JOBS}
    SELECT $1, '${EFFECT_JOB}', id, object_id FROM effect WHERE pass_id IS NULL ORDER BY id
  ), once AS (
    INSERT INTO automation_once (workspace_id, automation_id, ticket_id)
    SELECT $1, v.automation_id, v.object_id FROM v WHERE $4 AND v.automation_id IS NOT NULL ON CONFLICT DO NOTHING
  )
  SELECT id FROM run`;

function counted(automationId: number, error: string | null): Statement {
  return {
    text: `UPDATE automations SET run_count = run_count + 1, last_run_at = now(), last_error = coalesce($3::text, last_error) WHERE workspace_id = $1 AND id = $2`,
    values: [currentWorkspaceId(), automationId, error],
  };
}

function told({ type, status, error }: ActionRecord): Record<string, unknown> {
  return { type, status, error };
}
