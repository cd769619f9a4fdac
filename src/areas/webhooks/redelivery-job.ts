import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { JobHandler, Job, JobOutcome } from '../../platform/queue/job-handler';
import { JobQueue } from '../../platform/queue/job-queue';
import { DeliveryLog, hasArrived } from './delivery-log';
import { messageOf } from './delivery-job';
import { REDELIVERY_JOB } from './webhook-values';
import { WebhookSender } from './webhook-sender';

/** One more attempt because someone asked for it: outside the schedule, and a failure has no consequences. */
@Injectable()
export class RedeliveryJob implements JobHandler, OnModuleInit {
  readonly kind = REDELIVERY_JOB;
  readonly perGroup = 5;
  readonly perWorkspace = 20;
  /** The deadline of a message, and time to record how it went. What a dead process held is taken up after it. */
  readonly leaseMs = 15_000;

  constructor(
    private readonly queue: JobQueue,
    private readonly log: DeliveryLog,
    private readonly sender: WebhookSender,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  async perform(job: Job): Promise<JobOutcome> {
    const due = await this.log.load(job.subject_id);
    if (!due?.is_active || due.body === null) return {};
    const startedAt = new Date();
    const result = await this.sender.send(due, messageOf(due, due.body));
    const status = hasArrived(result) ? 'succeeded' : null;
    const made = { trigger: 'manual', startedAt, result, status, retryInMs: null, counts: false } as const;
    return { settle: () => this.log.record(due.id, made, true) };
  }
}
