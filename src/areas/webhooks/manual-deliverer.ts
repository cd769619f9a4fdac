import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Deliveries, type Deliverer } from '../../platform/delivery/deliveries';
import { NO_RETRIES } from '../../platform/delivery/retries';
import type { Job } from '../../platform/queue/job-handler';
import { DeliveryLog, type DueDelivery } from './delivery-log';
import { attemptAt, type EndpointAttempt } from './event-deliverer';
import { REDELIVERY_JOB } from './webhook-values';
import { WebhookSender } from './webhook-sender';

/** One more attempt because someone asked for it: outside the schedule, and a failure has no consequences. */
@Injectable()
export class ManualDeliverer implements Deliverer<DueDelivery, EndpointAttempt>, OnModuleInit {
  readonly kind = REDELIVERY_JOB;
  readonly perGroup = 5;
  readonly perWorkspace = 20;
  /** The deadline of a message, and time to record how it went. What a dead process held is taken up after it. */
  readonly leaseMs = 15_000;
  readonly retries = NO_RETRIES;

  constructor(
    private readonly deliveries: Deliveries,
    private readonly log: DeliveryLog,
    private readonly sender: WebhookSender,
  ) {}

  onModuleInit(): void {
    this.deliveries.register(this);
  }

  async load({ subject_id }: Job): Promise<DueDelivery | null> {
    const due = await this.log.load(subject_id);
    return due?.is_active && due.body !== null ? due : null;
  }

  withdrawal(): null {
    return null;
  }

  send(due: DueDelivery): Promise<EndpointAttempt> {
    return attemptAt(this.sender, due);
  }

  record(due: DueDelivery, made: EndpointAttempt): Promise<void> {
    const status = made.arrived ? 'succeeded' : null;
    return this.log.record(due.id, { ...made, trigger: 'manual', status, retryInMs: null, counts: false }, true);
  }
}
