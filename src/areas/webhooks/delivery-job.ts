import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { JobHandler, Job, JobOutcome } from '../../platform/queue/job-handler';
import { JobQueue } from '../../platform/queue/job-queue';
import type { OutboundResult } from '../../platform/outbound/outbound-result';
import { fitted } from './delivery-body';
import { type AttemptRecord, DeliveryLog, type DueDelivery, hasArrived } from './delivery-log';
import { retryAfterSeconds, retryDelayMs } from './retry-schedule';
import { DELIVERY_JOB } from './webhook-values';
import { WebhookSender } from './webhook-sender';
import { WebhooksService } from './webhooks.service';

const GONE = 410;
const BUSY: readonly (number | null)[] = [429, 503];

/** Delivers an event to an endpoint: one attempt, and what follows from it. */
@Injectable()
export class DeliveryJob implements JobHandler, OnModuleInit {
  readonly kind = DELIVERY_JOB;
  readonly perGroup = 20;
  readonly perWorkspace = 40;
  /** The deadline of a message, and time to record how it went. What a dead process held is taken up after it. */
  readonly leaseMs = 15_000;

  constructor(
    private readonly queue: JobQueue,
    private readonly log: DeliveryLog,
    private readonly sender: WebhookSender,
    private readonly webhooks: WebhooksService,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  async perform(job: Job): Promise<JobOutcome> {
    const due = await this.log.load(job.subject_id);
    if (due?.status !== 'pending' && due?.status !== 'retrying') return {};
    const { body } = due;
    if (!due.is_active || body === null) return { settle: () => this.log.cancel(due.id) };
    const startedAt = new Date();
    const result = await this.sender.send(due, messageOf(due, body));
    return this.outcome(due, job.attempt, { trigger: 'scheduled', startedAt, result, counts: true });
  }

  private outcome(due: DueDelivery, attempt: number, made: Omit<AttemptRecord, 'status' | 'retryInMs'>): JobOutcome {
    const { result } = made;
    if (hasArrived(result)) {
      return { settle: () => this.log.record(due.id, { ...made, status: 'succeeded', retryInMs: null }, true) };
    }
    const asked = BUSY.includes(result.status) ? retryAfterSeconds(result.headers['retry-after'], new Date()) : null;
    const retryInMs = result.status === GONE ? null : retryDelayMs(attempt, asked);
    if (retryInMs !== null) {
      return { retryInMs, settle: () => this.log.record(due.id, { ...made, status: 'retrying', retryInMs }, true) };
    }
    return {
      settle: async () => {
        await this.log.record(due.id, { ...made, status: 'failed', retryInMs: null }, false);
        const { id, event_id, event } = due;
        const delivery = { id, event_id, event, response_status: result.status, error: result.error?.message ?? null };
        await this.webhooks.deactivate(due.webhook_id, reasonOf(due, attempt, result), delivery);
      },
    };
  }
}

/** The message of a delivery's next attempt. */
export function messageOf(due: DueDelivery, body: string): Parameters<WebhookSender['send']>[1] {
  return {
    eventId: due.event_id,
    event: due.event,
    uid: due.uid,
    attempt: due.attempt + 1,
    depth: due.depth,
    rootEventId: due.root_event_id,
    body: fitted(body),
  };
}

/** Why an endpoint is deactivated, for its owner. */
function reasonOf(due: DueDelivery, attempt: number, { status, error }: OutboundResult): string {
  if (status === GONE) return `The endpoint answered 410 Gone to ${due.event_id} (${due.event}).`;
  const last = error?.message ?? `HTTP ${status ?? 0}`;
  return `${due.event_id} (${due.event}) could not be delivered in ${attempt} attempts. The last one: ${last}`;
}
