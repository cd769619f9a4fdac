import { Injectable, type OnModuleInit } from '@nestjs/common';
import { clockNow } from '../../platform/context/clock';
import { type Attempt, httpAttempt } from '../../platform/delivery/attempt';
import { Deliveries, type Deliverer, type Verdict } from '../../platform/delivery/deliveries';
import { EVENT_RETRIES } from '../../platform/delivery/retries';
import type { OutboundResult } from '../../platform/outbound/outbound-result';
import type { Job } from '../../platform/queue/job-handler';
import { fitted } from './delivery-body';
import { DeliveryLog, type DueDelivery } from './delivery-log';
import { DELIVERY_JOB } from './webhook-values';
import { WebhookSender } from './webhook-sender';
import { WebhooksService } from './webhooks.service';

/** An attempt at an endpoint. */
export interface EndpointAttempt extends Attempt {
  startedAt: Date;
  result: OutboundResult;
}

/** Delivers events to endpoints; one that does not take an event in the end is deactivated. */
@Injectable()
export class EventDeliverer implements Deliverer<DueDelivery, EndpointAttempt>, OnModuleInit {
  readonly kind = DELIVERY_JOB;
  readonly perGroup = 20;
  readonly perWorkspace = 40;
  /** The deadline of a message, and time to record how it went. What a dead process held is taken up after it. */
  readonly leaseMs = 15_000;
  readonly retries = EVENT_RETRIES;

  constructor(
    private readonly deliveries: Deliveries,
    private readonly log: DeliveryLog,
    private readonly sender: WebhookSender,
    private readonly webhooks: WebhooksService,
  ) {}

  onModuleInit(): void {
    this.deliveries.register(this);
  }

  async load({ subject_id }: Job): Promise<DueDelivery | null> {
    const due = await this.log.load(subject_id);
    return due?.status === 'pending' || due?.status === 'retrying' ? due : null;
  }

  withdrawal(due: DueDelivery): (() => Promise<void>) | null {
    return due.is_active && due.body !== null ? null : () => this.log.cancel(due.id);
  }

  send(due: DueDelivery): Promise<EndpointAttempt> {
    return attemptAt(this.sender, due);
  }

  record(due: DueDelivery, made: EndpointAttempt, { status, retryInMs }: Verdict): Promise<void> {
    const kept = status === 'arrived' ? 'succeeded' : status;
    const attempt = { ...made, trigger: 'scheduled', status: kept, retryInMs, counts: true } as const;
    return this.log.record(due.id, attempt, status !== 'failed');
  }

  async exhausted(due: DueDelivery, made: EndpointAttempt, verdict: Verdict): Promise<void> {
    const { id, event_id, event } = due;
    const { status, error } = made.result;
    const delivery = { id, event_id, event, response_status: status, error: error?.message ?? null };
    await this.webhooks.deactivate(due.webhook_id, reasonOf(due, made, verdict), delivery);
  }
}

/** One attempt of a delivery, at once. */
export async function attemptAt(sender: WebhookSender, due: DueDelivery): Promise<EndpointAttempt> {
  const startedAt = clockNow();
  const result = await sender.send(due, messageOf(due));
  return { ...httpAttempt(result), startedAt, result };
}

/** The message of a delivery's next attempt. */
function messageOf(due: DueDelivery): Parameters<WebhookSender['send']>[1] {
  return {
    eventId: due.event_id,
    event: due.event,
    uid: due.uid,
    attempt: due.attempt + 1,
    depth: due.depth,
    rootEventId: due.root_event_id,
    body: fitted(due.body ?? ''),
  };
}

/** Why an endpoint is deactivated, for its owner. */
function reasonOf(due: DueDelivery, { isPermanent, result }: EndpointAttempt, { attempt }: Verdict): string {
  if (isPermanent) return `The endpoint answered 410 Gone to ${due.event_id} (${due.event}).`;
  const last = result.error?.message ?? `HTTP ${result.status ?? 0}`;
  return `${due.event_id} (${due.event}) could not be delivered in ${attempt} attempts. The last one: ${last}`;
}
