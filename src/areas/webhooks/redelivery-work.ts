import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { WorkHandler, WorkItem, WorkOutcome } from '../../platform/queue/work-handler';
import { WorkQueue } from '../../platform/queue/work-queue';
import { DeliveryLog, hasArrived } from './delivery-log';
import { messageOf } from './delivery-work';
import { REDELIVERY_WORK } from './webhook-values';
import { WebhookSender } from './webhook-sender';

/** One more attempt because someone asked for it: outside the schedule, and a failure has no consequences. */
@Injectable()
export class RedeliveryWork implements WorkHandler, OnModuleInit {
  readonly kind = REDELIVERY_WORK;
  readonly perLane = 5;
  readonly perWorkspace = 20;
  /** The deadline of a message, and time to record how it went. What a dead process held is taken up after it. */
  readonly leaseMs = 15_000;

  constructor(
    private readonly queue: WorkQueue,
    private readonly log: DeliveryLog,
    private readonly sender: WebhookSender,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  async perform(item: WorkItem): Promise<WorkOutcome> {
    const due = await this.log.load(item.subject_id);
    if (!due?.is_active || due.body === null) return {};
    const startedAt = new Date();
    const result = await this.sender.send(due, messageOf(due, due.body));
    const status = hasArrived(result) ? 'succeeded' : null;
    const made = { trigger: 'manual', startedAt, result, status, retryInMs: null, counts: false } as const;
    return { settle: () => this.log.record(due.id, made, true) };
  }
}
