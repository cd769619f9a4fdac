import { Injectable } from '@nestjs/common';
import { IntegerMember } from '../../../platform/http/answer-members';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { invalid } from '../../../platform/errors/api-error';
import { JobQueue } from '../../../platform/queue/job-queue';
import { AiSettingsService } from '../settings/ai-settings.service';
import { PREDICTION_JOB } from './ticket-events';

const MOST = 5_000;

/** Answer of `POST /ai-engine/backfill`. */
export class StartedBackfill {
  @IntegerMember({
    minimum: 0,
    description: `Tickets that are going to be looked at, the newest first; at most ${MOST} at a time.`,
  })
  tickets: number;
}

/** Tickets that are being worked on, and of which a model that is ready has predicted nothing. */
const BEHIND = `
  SELECT t.id FROM tickets t WHERE t.workspace_id = $1 AND t.status IN ('open', 'in_progress', 'on_hold') AND t.merged_into_id IS NULL
    AND EXISTS (SELECT FROM ai_models m WHERE m.workspace_id = $1 AND m.status = 'ready' AND NOT EXISTS (SELECT FROM ai_predictions p
      WHERE p.workspace_id = $1 AND p.ticket_id = t.id AND p.task = m.task AND p.status <> 'expired'))
  ORDER BY t.id DESC LIMIT ${MOST}`;

/** Has tickets predicted that came before there was a model. */
@Injectable()
export class Backfill {
  constructor(
    private readonly database: Database,
    private readonly queue: JobQueue,
    private readonly settings: AiSettingsService,
  ) {}

  /** As jobs, a few at a time; asked for twice, they are looked at twice and predicted once. */
  start(): Promise<StartedBackfill> {
    return this.database.transaction(async () => {
      const { enabled, mode } = await this.settings.holding();
      if (!enabled || mode === 'off')
        invalid('mode', 'not_allowed', 'The AI engine does nothing by itself in this workspace.');
      const behind = await this.database.query<{ id: number }>(BEHIND, [currentWorkspaceId()]);
      await this.queue.add(behind.map(({ id }) => ({ kind: PREDICTION_JOB, subject_id: id, group_id: id })));
      return { tickets: behind.length };
    });
  }
}
