import { Injectable } from '@nestjs/common';
import type { Job, JobHandler, JobOutcome } from '../queue/job-handler';
import { JobQueue } from '../queue/job-queue';
import { DELIVERY_QUEUE } from '../queue/queue-names';
import type { Attempt } from './attempt';
import { retryDelayMs, type RetryPolicy } from './retries';

/** What follows from an attempt. */
export interface Verdict {
  /** Which it was, from 1. */
  attempt: number;
  status: 'arrived' | 'retrying' | 'failed';
  /** Pause before the next attempt; null when there is none. */
  retryInMs: number | null;
}

/**
 * One kind of messages to others: webhooks, messages of integrations, mail. The limits are those of its jobs; `Due` is a
 * message with all that sending it takes, `Made` what came of an attempt.
 */
export interface Deliverer<Due, Made extends Attempt> extends Pick<
  JobHandler,
  'kind' | 'perGroup' | 'perWorkspace' | 'leaseMs' | 'subjects'
> {
  readonly retries: RetryPolicy;
  /** The message of a job; null when there is nothing left to send. */
  load(job: Job): Promise<Due | null>;
  /** Writes down that the message will not be sent, where that is so (its endpoint was stopped); null = it will. */
  withdrawal(due: Due): (() => Promise<void>) | null;
  /** Sends it once, outside any transaction. What the other side does is no error. */
  send(due: Due, attempt: number): Promise<Made>;
  /** Writes the attempt down, in the transaction that ends it. Nothing follows in that unless the message has failed. */
  record(due: Due, made: Made, verdict: Verdict): Promise<void>;
  /** After the record of the attempt that was the last and failed: e.g. switches the receiver off. */
  exhausted?(due: Due, made: Made, verdict: Verdict): Promise<void>;
}

/** The engine of deliveries: attempts, pauses between them, what the receiver asks for, and the end of it. */
@Injectable()
export class Deliveries {
  constructor(private readonly queue: JobQueue) {}

  /** Declares who delivers a kind of messages; call it in `onModuleInit`. */
  register<Due, Made extends Attempt>(deliverer: Deliverer<Due, Made>): void {
    const { kind, perGroup, perWorkspace, leaseMs, subjects } = deliverer;
    this.queue.register({
      ...{ kind, perGroup, perWorkspace, leaseMs },
      ...(subjects === undefined ? {} : { subjects }),
      travelsBy: DELIVERY_QUEUE,
      perform: (job) => perform(deliverer, job),
    });
  }
}

async function perform<Due, Made extends Attempt>(deliverer: Deliverer<Due, Made>, job: Job): Promise<JobOutcome> {
  const due = await deliverer.load(job);
  if (due === null) return {};
  const withdrawal = deliverer.withdrawal(due);
  if (withdrawal) return { settle: withdrawal };
  const made = await deliverer.send(due, job.attempt);
  const verdict = verdictOf(made, job.attempt, deliverer.retries);
  const settle = async (): Promise<void> => {
    await deliverer.record(due, made, verdict);
    if (verdict.status === 'failed') await deliverer.exhausted?.(due, made, verdict);
  };
  return verdict.retryInMs === null ? { settle } : { retryInMs: verdict.retryInMs, settle };
}

/** What follows from an attempt under a policy. */
export function verdictOf(made: Attempt, attempt: number, retries: RetryPolicy): Verdict {
  if (made.arrived) return { attempt, status: 'arrived', retryInMs: null };
  const retryInMs = made.isPermanent ? null : retryDelayMs(retries, attempt, made.askedSeconds);
  return { attempt, status: retryInMs === null ? 'failed' : 'retrying', retryInMs };
}
