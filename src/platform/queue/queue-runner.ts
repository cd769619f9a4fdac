import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../context/runtime-config';
import { Database } from '../database/database';
import { EventDispatcher } from '../events/event-dispatcher';
import { BullTransport, type Written } from './bull-transport';
import { Coalesced } from './coalesced';
import type { JobRef } from './job-claims';
import { JobExecutor } from './job-executor';
import { JobScheduler } from './job-scheduler';
import { JobQueue } from './job-queue';
import { JobSweeper } from './job-sweeper';

const SWEEP_MS = 1000;
/** While jobs do not arrive, looking is the only way to learn of what other nodes wrote. */
const SWEEP_ALONE_MS = 250;
/** At most so often a node says that it wrote events; the first time at once. */
const SIGNAL_GAP_MS = 20;
/** The same for dispatching and scheduling: what comes up meanwhile is found together, which is what makes it cheap. */
const DISPATCH_GAP_MS = 50;
const SCHEDULE_GAP_MS = 10;
const MOST_AT_ONCE = 500;
const PATIENCE_MS = 3000;

/**
 * Joins the parts: a commit with events → dispatcher → jobs → scheduler → Redis → executor. Nodes of ROLE=api only signal to
 * some other that there are events or jobs. The others look after what they wrote themselves and share the jobs that
 * follows from it through Redis or, while that is away, do it themselves, too.
 */
@Injectable()
export class QueueRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(QueueRunner.name);
  private readonly serves: boolean;
  private timer: NodeJS.Timeout | null = null;
  private sweeping: Promise<void> = Promise.resolve();
  private stopping = false;
  private failing = false;
  /** The last round of the scheduler left jobs behind. */
  private blocked = true;

  private readonly dispatching = this.coalesced(() => this.dispatch(), DISPATCH_GAP_MS);
  private readonly scheduling = this.coalesced(() => this.schedule(), SCHEDULE_GAP_MS);
  private readonly retrying = this.coalesced(() => this.retryParked());
  private readonly telling: Record<Written, Coalesced> = {
    events: this.coalesced(() => this.tell('events'), SIGNAL_GAP_MS),
    jobs: this.coalesced(() => this.tell('jobs'), SIGNAL_GAP_MS),
  };

  constructor(
    @Inject(RUNTIME_CONFIG) config: Pick<RuntimeConfig, 'role'>,
    private readonly database: Database,
    private readonly transport: BullTransport,
    private readonly dispatcher: EventDispatcher,
    private readonly queue: JobQueue,
    private readonly scheduler: JobScheduler,
    private readonly executor: JobExecutor,
    private readonly sweeper: JobSweeper,
  ) {
    this.serves = config.role !== 'api';
  }

  async onApplicationBootstrap(): Promise<void> {
    const announce = (written: Written) => (): void => {
      if (this.serves) this.look(written);
      else if (!this.stopping) this.telling[written].call();
    };
    this.database.onEvents(announce('events'));
    this.queue.onWake(announce('jobs'));
    if (this.serves) this.plan(0);
    const receiver = {
      signalled: (written: Written): void => this.look(written),
      received: (refs: readonly JobRef[]): Promise<void> => this.begin(refs),
    };
    await this.transport.open(this.serves ? receiver : null, () => this.executor.free === 0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    if (this.timer) clearTimeout(this.timer);
    const { events, jobs } = this.telling;
    const each = [this.dispatching, this.scheduling, this.retrying, events, jobs].map((running) => running.idle());
    await Promise.all([this.sweeping, ...each]);
    await this.transport.close(this.executor.stop(PATIENCE_MS));
  }

  /** A job for some worker; while none arrive, their sweeps find what there is. */
  private async tell(written: Written): Promise<void> {
    if (this.transport.healthy) await this.transport.signal(written);
  }

  private look(written: Written): void {
    if (!this.stopping) (written === 'events' ? this.dispatching : this.scheduling).call();
  }

  private async dispatch(): Promise<void> {
    await this.dispatcher.dispatch(() => this.look('jobs'));
    this.noteSuccess();
  }

  private async retryParked(): Promise<void> {
    await this.dispatcher.retryParked(() => this.look('jobs'));
  }

  private async schedule(): Promise<void> {
    if (this.stopping) return;
    const direct = !this.transport.healthy;
    const { refs, blocked } = await this.scheduler.next(direct ? this.executor.free : MOST_AT_ONCE);
    this.blocked = blocked;
    this.noteSuccess();
    const left = direct ? refs : await this.transport.deliver(refs);
    if (left.length === 0) return;
    const most = this.executor.free;
    for (const ref of left.slice(0, most)) void this.execute(ref);
    await this.executor.giveBack(left.slice(most));
  }

  /** Jobs of one message; resolves when each of them has found room, not when it is done: Redis need not know of that. */
  private async begin(refs: readonly JobRef[]): Promise<void> {
    for (const ref of refs) {
      await this.executor.takePlace();
      void this.execute(ref, true);
    }
  }

  private async execute(ref: JobRef, placed = false): Promise<void> {
    await this.executor.execute(ref, placed);
    if (this.blocked) this.look('jobs');
  }

  private plan(afterMs: number): void {
    this.timer = setTimeout(() => {
      this.sweeping = this.sweep();
    }, afterMs).unref();
  }

  private async sweep(): Promise<void> {
    let again = false;
    try {
      const { events, parked, jobs, more } = await this.sweeper.sweep(this.executor.roomy);
      if (events) this.look('events');
      if (parked && !this.stopping) this.retrying.call();
      if (jobs) this.look('jobs');
      again = more;
      this.noteSuccess();
    } catch (error) {
      this.noteFailure(error);
    }
    if (this.stopping) return;
    // Nodes that started together need not wake together.
    const pauseMs = (this.transport.healthy ? SWEEP_MS : SWEEP_ALONE_MS) * (0.9 + Math.random() * 0.2);
    this.plan(again ? 0 : pauseMs);
  }

  private coalesced(run: () => Promise<void>, gapMs = 0): Coalesced {
    return new Coalesced(run, (error) => this.noteFailure(error), gapMs);
  }

  /** Once per outage; the sweep comes back to whatever was left undone. */
  private noteFailure(error: unknown): void {
    if (!this.failing) this.logger.error(`Jobs stand still: ${(error as Error).message}`, (error as Error).stack);
    this.failing = true;
  }

  private noteSuccess(): void {
    if (this.failing) this.logger.warn('Jobs go on.');
    this.failing = false;
  }
}
