import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { EventRedaction } from '../../platform/events/event-redaction';
import type { JobHandler, Job, JobOutcome } from '../../platform/queue/job-handler';
import { JobQueue } from '../../platform/queue/job-queue';
import type { EventFacts } from './adapters/notice';
import { DELIVERY_JOB } from './delivery-consumer';
import { IntegrationLogsService } from './integration-logs.service';
import { IntegrationStates } from './integration-states.service';
import { type Installation, IntegrationsService } from './integrations.service';
import { retryDelayMs } from './retry-schedule';
import { Senders, type Sent } from './senders';

interface Loaded {
  integration_id: number;
  uid: string;
  status: string;
  /** `events.id` */
  event_id: number;
  /** Null when the event is older than the log keeps. */
  event: EventFacts | null;
}

/** Sends events through installations: 5 retries, then the installation rests with status `error`. */
@Injectable()
export class DeliveryHandler implements JobHandler, OnModuleInit {
  readonly kind = DELIVERY_JOB;
  readonly perGroup = 2;
  readonly perWorkspace = 10;
  /** A mail server may take a minute. */
  readonly leaseMs = 90_000;

  constructor(
    private readonly queue: JobQueue,
    private readonly database: Database,
    private readonly integrations: IntegrationsService,
    private readonly senders: Senders,
    private readonly logs: IntegrationLogsService,
    private readonly states: IntegrationStates,
    private readonly redaction: EventRedaction,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  async perform(job: Job): Promise<JobOutcome> {
    const { delivery, installation } = await this.load(job.subject_id);
    if (delivery?.status !== 'pending') return {};
    const { event } = delivery;
    if (installation?.status !== 'active' || event === null)
      return { settle: () => this.mark(job.subject_id, 'cancelled') };
    const sent = await this.senders.send(installation, event, { deliveryId: delivery.uid, attempt: job.attempt });
    const retryInMs =
      sent.error === null || sent.isGone ? null : retryDelayMs(job.attempt, sent.retryAfterSeconds, Math.random());
    const settle = (): Promise<void> =>
      this.settle(job, installation, { ...delivery, event }, sent, retryInMs !== null);
    return retryInMs === null ? { settle } : { retryInMs, settle };
  }

  private async settle(
    job: Job,
    { id }: Installation,
    { event, event_id: eventRow, uid }: Loaded & { event: EventFacts },
    sent: Sent,
    willRetry: boolean,
  ): Promise<void> {
    // What was deleted while the message was under way is not kept here either.
    const isForgotten = (await this.redaction.since(eventRow)) !== null;
    const requestId = event.causation.request_id;
    await this.logs.add({
      integration_id: id,
      direction: 'outbound',
      event: event.type,
      status: sent.error === null ? 'success' : willRetry ? 'retrying' : 'failed',
      http_method: sent.method,
      url: sent.url,
      request_headers: sent.requestHeaders,
      request_body: isForgotten ? null : sent.requestBody,
      response_status: sent.status,
      response_body: isForgotten ? null : sent.responseBody,
      duration_ms: sent.durationMs,
      attempt: job.attempt,
      error: sent.error,
      delivery_id: uid,
      request_id: typeof requestId === 'string' ? requestId : null,
    });
    if (sent.error === null) {
      await this.states.succeeded(id);
      await this.mark(job.subject_id, 'success');
      return;
    }
    await this.states.stumbled(id, sent.error);
    if (willRetry) return;
    await this.mark(job.subject_id, 'failed');
    await this.integrations.failed(id, sent.error);
  }

  /** A delivery that was cancelled while it was under way stays so. */
  private async mark(id: number, status: string): Promise<void> {
    await this.database.query(
      `UPDATE integration_deliveries SET status = $3 WHERE workspace_id = $1 AND id = $2 AND status = 'pending'`,
      [currentWorkspaceId(), id, status],
    );
  }

  private load(id: number): Promise<{ delivery: Loaded | undefined; installation: Installation | undefined }> {
    return this.database.transaction(async () => {
      const [delivery] = await this.database.query<Loaded>(
        `SELECT d.integration_id, d.uid, d.status, d.event_id, ${EVENT_FACTS} AS event
         FROM integration_deliveries d LEFT JOIN events e ON e.workspace_id = d.workspace_id AND e.id = d.event_id
         WHERE d.workspace_id = $1 AND d.id = $2`,
        [currentWorkspaceId(), id],
      );
      const installation = delivery && (await this.integrations.open(delivery.integration_id));
      return { delivery, installation };
    });
  }
}

/** SQL of an event row `e` as `EventFacts`. */
const EVENT_FACTS = `
  CASE WHEN e.id IS NULL THEN NULL ELSE json_build_object('uid', e.uid, 'type', e.type, 'object', e.object, 'object_id', e.object_id,
    'sequence_id', e.sequence_id, 'position', e.position, 'workspace_id', e.workspace_id, 'actor', e.actor,
    'causation', e.causation, 'changes', e.changes, 'data', e.data, 'related', e.related,
    'created_at', to_char(e.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) END`;
