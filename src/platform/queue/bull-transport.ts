import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger } from '@nestjs/common';
import type { Job, Queue } from 'bull';
import { randomUUID } from 'node:crypto';
import { within } from '../time/within';
import { BullClients } from './bull-clients';
import { Canary, type CanaryJob } from './canary';
import type { JobRef } from './job-claims';
import type { EnqueuedRef } from './job-scheduler';
import { DELIVERY_QUEUE, EVENTS_QUEUE, JOB_QUEUE, type JobQueueName } from './queue-names';

/** What a worker is to look for. */
export type Written = 'events' | 'jobs';

/** What arrives over the transport. */
export interface Receiver {
  /** Somewhere events, or jobs, were written. */
  signalled(what: Written): void;
  /** Jobs to be done; resolves when there is room for more. */
  received(refs: readonly JobRef[]): Promise<void>;
}

type SignalJob = CanaryJob | { written: Written };

interface JobsMessage {
  refs: JobRef[];
}

/** A queue that jobs travel through, and whether they arrive. */
interface Carrier {
  name: JobQueueName;
  queue: Queue<JobsMessage | CanaryJob>;
  canary: Canary;
}

/** Jobs in one message: a message costs several commands of Redis, and many small ones spread better over the nodes. */
const REFS_PER_MESSAGE = 20;
/** Messages that are taken in parallel; each is over as soon as its jobs have begun. */
const MESSAGES_AT_ONCE = 2;

const SIGNAL_MS = 100;
const DELIVER_MS = 250;
const CLOSE_MS = 1000;

/**
 * Carries ids between nodes through Bull. It may lose, double or delay whatever it likes: PostgreSQL knows what is to
 * be done. While it is not `healthy` nobody waits for it, and workers do without.
 */
@Injectable()
export class BullTransport {
  private readonly logger = new Logger(BullTransport.name);
  private readonly signals: Canary;
  private readonly carriers: readonly Carrier[];
  private closing = false;
  /** What the log said last. */
  private told = false;

  constructor(
    @InjectQueue(EVENTS_QUEUE) private readonly events: Queue<SignalJob>,
    @InjectQueue(JOB_QUEUE) jobs: Queue<JobsMessage | CanaryJob>,
    @InjectQueue(DELIVERY_QUEUE) deliveries: Queue<JobsMessage | CanaryJob>,
    private readonly clients: BullClients,
  ) {
    for (const queue of [events, jobs, deliveries]) {
      nameQuietly(queue);
      closeHere(queue);
    }
    const tell = (): void => this.announce();
    const renew = (): void => this.clients.renew();
    const canaryOf = (queue: Queue): Canary => new Canary(queue, renew, tell, clients.pace);
    this.signals = canaryOf(events);
    this.carriers = [
      { name: JOB_QUEUE, queue: jobs, canary: canaryOf(jobs) },
      { name: DELIVERY_QUEUE, queue: deliveries, canary: canaryOf(deliveries) },
    ];
  }

  /** Whether jobs arrive, as far as anyone knows. */
  get healthy(): boolean {
    return !this.closing && this.canaries.every(({ alive }) => alive);
  }

  /** Jobs have not arrived for longer than a moment: nobody takes them, or Redis is away. */
  get outage(): boolean {
    return this.canaries.some(({ lost }) => lost);
  }

  /**
   * Begins to watch the queues and, given a receiver, to take jobs from them. Waits a moment for the first sign of life.
   *
   * @param saturated whether the receiver is too busy to take a job soon
   */
  async open(receiver: Receiver | null, saturated: () => boolean): Promise<void> {
    if (receiver) this.receive(receiver);
    await Promise.all(
      this.canaries.map((canary) => canary.start(receiver !== null, canary === this.signals ? () => false : saturated)),
    );
  }

  /** Tells some worker that there is something to do. */
  async signal(written: Written): Promise<void> {
    try {
      await within(SIGNAL_MS, this.events.add({ written }, { jobId: randomUUID() }));
    } catch {
      this.signals.suspect();
    }
  }

  /** Passes jobs on to the workers; answers those that may not have arrived. */
  async deliver(refs: readonly EnqueuedRef[]): Promise<readonly JobRef[]> {
    const left = this.carriers.map(async (carrier) => {
      const own = refs.filter(({ queue }) => queue === carrier.name);
      return (await this.carry(carrier, own)) ? [] : own;
    });
    return (await Promise.all(left)).flat();
  }

  /**
   * Takes no more jobs from now on, and lets go of Redis.
   *
   * @param done resolves when the jobs that were taken are over
   */
  async close(done: Promise<void>): Promise<void> {
    this.closing = true;
    for (const canary of this.canaries) canary.stop();
    const closed = Promise.all(
      [this.events, ...this.carriers.map(({ queue }) => queue)].map((queue) => queue.close(true)),
    );
    closed.catch(() => undefined);
    await done;
    // Bull would wait for its blocking connections, and once more connects one of them.
    this.clients.close();
    await within(CLOSE_MS, closed).catch(() => undefined);
    this.clients.close();
  }

  private get canaries(): Canary[] {
    return [this.signals, ...this.carriers.map(({ canary }) => canary)];
  }

  private async carry({ queue, canary }: Carrier, refs: readonly JobRef[]): Promise<boolean> {
    if (refs.length === 0) return true;
    const messages: { data: JobsMessage; opts: { jobId: string } }[] = [];
    for (let start = 0; start < refs.length; start += REFS_PER_MESSAGE) {
      const part = refs.slice(start, start + REFS_PER_MESSAGE).map(({ workspace_id, id }) => ({ workspace_id, id }));
      messages.push({ data: { refs: part }, opts: { jobId: randomUUID() } });
    }
    try {
      await within(DELIVER_MS, queue.addBulk(messages));
      return true;
    } catch {
      canary.suspect();
      return false;
    }
  }

  private receive(receiver: Receiver): void {
    const signalled = ({ data }: Job<SignalJob>): Promise<void> => {
      if ('canary' in data) this.signals.seen(data.canary);
      else receiver.signalled(data.written);
      return Promise.resolve();
    };
    // The promises end when the queue is closed; with an error when Redis was away then.
    this.events.process(1, signalled).catch(() => undefined);
    for (const { queue, canary } of this.carriers) {
      const received = async ({ data }: Job<JobsMessage | CanaryJob>): Promise<void> => {
        if ('canary' in data) canary.seen(data.canary);
        else await receiver.received(data.refs);
      };
      queue.process(MESSAGES_AT_ONCE, received).catch(() => undefined);
    }
  }

  private announce(): void {
    if (this.closing || this.outage === this.told) return;
    this.told = this.outage;
    if (!this.outage) this.logger.warn('Jobs travel through Redis again.');
    else this.logger.warn('Jobs do not arrive through Redis; workers take them from PostgreSQL until they do.');
  }
}

/** `close` of the transport ends the queue, with patience. Nest would wait for Bull's own end once more, however long that takes. */
function closeHere(queue: Queue): void {
  Object.assign(queue, { onApplicationShutdown: () => undefined });
}

/** Bull names its connections when a processor is set, and hears of no failure: unheard, one would end the process. */
function nameQuietly(queue: Queue): void {
  const name = queue.setWorkerName.bind(queue);
  queue.setWorkerName = () => name().catch(() => undefined);
}
