import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import type { EventConsumer, OutboxEvent } from '../../../platform/events/event-consumer';
import type { Job, JobHandler, JobOutcome } from '../../../platform/queue/job-handler';
import { JobQueue } from '../../../platform/queue/job-queue';
import { INSERT_JOBS } from '../../../platform/queue/job-table';
import { LoadedModels } from '../models/loaded-models';
import { AiSettingsService } from '../settings/ai-settings.service';
import { LEARNT_TASKS, needsModel, TASKS, TRUTH } from '../tasks';
import { PredictionsService } from './predictions.service';

/** Kind of the job that predicts what a new ticket is; its subject is the ticket. */
export const PREDICTION_JOB = 'ai_prediction';

const TICKETS = 'json_to_recordset($1::json) AS v(workspace_id bigint, ticket_id bigint)';

/** Jobs for the new tickets of workspaces where the engine works by itself and has learnt something. */
const PREDICT = `${INSERT_JOBS}
  SELECT v.workspace_id, '${PREDICTION_JOB}', v.ticket_id, v.ticket_id FROM ${TICKETS}
  JOIN ai_settings s ON s.workspace_id = v.workspace_id AND s.enabled AND s.mode <> 'off'
  WHERE EXISTS (SELECT FROM ai_models m WHERE m.workspace_id = v.workspace_id AND m.status = 'ready')`;

const truths = LEARNT_TASKS.filter((task) => task !== 'csat_risk')
  .map((task) => `WHEN '${task}' THEN ${TRUTH[task]}`)
  .join(' ');

/**
 * What was true of predictions that were made before their ticket was resolved: what it has now. Of those that abstained it
 * is told, too, but they were neither right nor wrong. What a ticket has that was merged away, nobody looked at.
 */
const outcomes = (value: string, among: string): string => `
  WITH actual AS (
    SELECT p.workspace_id, p.id, ${value} AS value
    FROM ${TICKETS}
    JOIN tickets t ON t.workspace_id = v.workspace_id AND t.id = v.ticket_id AND t.resolved_at IS NOT NULL AND t.merged_into_id IS NULL
    JOIN ai_predictions p ON p.workspace_id = t.workspace_id AND p.ticket_id = t.id
    WHERE p.status <> 'expired' AND ${among} AND p.created_at <= t.resolved_at)
  UPDATE ai_predictions p SET actual_value = left(a.value, 255), version = version + 1, updated_at = now(),
    was_correct = CASE WHEN p.task = 'resolution_time' THEN NULL WHEN p.task = 'tags' THEN string_to_array(p.value, ',') <@ string_to_array(a.value, ',') ELSE p.value = a.value END
  FROM actual a WHERE p.workspace_id = a.workspace_id AND p.id = a.id AND a.value IS NOT NULL`;

const OUTCOMES = outcomes(
  `CASE p.task ${truths}
      WHEN 'resolution_time' THEN round(extract(epoch FROM t.resolved_at - t.created_at) / 60)::text END`,
  `p.task <> 'csat_risk'`,
);
/** What customers say comes later. */
const RATED = outcomes(TRUTH.csat_risk, `p.task = 'csat_risk'`);

/** Predicts what new tickets are, and notes what was true when they are resolved. */
@Injectable()
export class TicketEvents implements EventConsumer, JobHandler, OnModuleInit {
  readonly name = 'ai-engine';
  readonly kind = PREDICTION_JOB;
  readonly perGroup = 1;
  readonly perWorkspace = 2;
  readonly leaseMs = 60_000;

  constructor(
    private readonly database: Database,
    private readonly queue: JobQueue,
    private readonly settings: AiSettingsService,
    private readonly models: LoadedModels,
    private readonly predictions: PredictionsService,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  async consume(events: readonly OutboxEvent[]): Promise<void> {
    const statements = [
      ...about(events, 'ticket.created', PREDICT),
      ...about(events, 'ticket.resolved', OUTCOMES),
      ...about(events, 'ticket.csat_received', RATED),
    ];
    if (statements.length > 0) await this.database.later(statements);
  }

  async perform({ subject_id: ticketId }: Job): Promise<JobOutcome> {
    const settings = await this.settings.holding();
    if (!settings.enabled || settings.mode === 'off') return {};
    const ready = (await this.models.ready()).map(({ task }) => task);
    // What nothing was learnt for would abstain with each ticket: that is told when somebody asks.
    const tasks = TASKS.filter(
      (task) => settings.tasks[task] && (!needsModel(task) || ready.some((each) => each === task)),
    );
    await this.predictions.ofTicket(ticketId, tasks, settings);
    return {};
  }
}

function about(events: readonly OutboxEvent[], type: string, text: string): { text: string; values: string[] }[] {
  const ids = events
    .filter((event) => event.type === type)
    .map(({ workspace_id, object_id }) => ({ workspace_id, ticket_id: object_id }));
  return ids.length === 0 ? [] : [{ text, values: [JSON.stringify(ids)] }];
}
