import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../context/runtime-config';
import { Database } from '../database/database';

/** What a job answers when it stopped at the end of a batch and there is more to do at once. */
export const RUN_AGAIN = Symbol('run again');

/** What a job answers when there was nothing to do: the next runs come seldomer, until one has something to do again. */
export const NOTHING_TO_DO = Symbol('nothing to do');

/** So many times as long as usual is the longest pause of a job that has nothing to do. */
const LONGEST_REST = 4;

/** So many times seldomer than a worker does a node that only answers requests run a job. */
const BESIDE = 4;

/** What a run comes to when another node is just doing the job. */
const ELSEWHERE = Symbol('elsewhere');

export interface JobOptions {
  /** True: every node runs it, outside any transaction. By default one node at a time does, inside one. */
  everyNode?: boolean;
  /**
   * True: it does what has come due in workspaces. In those whose clock is ahead it is run besides, by that clock and confined to the
   * workspace, so its statements must be such as a unit of work in a workspace may make.
   */
  byClock?: boolean;
  /** True: requests get slower without it, so nodes that only answer requests do it, too, though more seldom. */
  forRequests?: boolean;
}

interface Job {
  name: string;
  everyMs: number;
  work: () => Promise<unknown>;
  everyNode: boolean;
  byClock: boolean;
  forRequests: boolean;
  timer: NodeJS.Timeout | null;
  running: Promise<boolean> | null;
  /** How many times as long as usual the next pause is. */
  rest: number;
  /** The last run failed, and the log says so. */
  failing: boolean;
}

/**
 * Work that repeats, on the nodes whose ROLE runs background work, and that without which requests get slower on all. By default it runs as the platform, in one
 * transaction (`Database.system`) under an advisory lock, so that however many nodes there are, one does it. A job
 * never overlaps itself, and one that fails is tried again at its next time.
 */
@Injectable()
export class PeriodicJobs implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(PeriodicJobs.name);
  private readonly jobs: Job[] = [];
  private started = false;
  private stopping = false;

  constructor(
    private readonly database: Database,
    @Inject(RUNTIME_CONFIG) private readonly config: Pick<RuntimeConfig, 'role'>,
  ) {}

  /**
   * @param name unique; also the advisory lock's name
   * @param everyMs pause between two runs, in milliseconds
   * @param work keep it far below the statement timeout of 5 s; answer RUN_AGAIN for the next batch, NOTHING_TO_DO to rest
   */
  register(name: string, everyMs: number, work: () => Promise<unknown>, options: JobOptions = {}): void {
    if (this.jobs.some((job) => job.name === name)) throw new Error(`Two periodic jobs are called "${name}".`);
    const job: Job = {
      name,
      everyMs,
      work,
      everyNode: options.everyNode === true,
      byClock: options.byClock === true,
      forRequests: options.forRequests === true,
      timer: null,
      running: null,
      rest: 1,
      failing: false,
    };
    this.jobs.push(job);
    if (this.started) this.plan(job);
  }

  onApplicationBootstrap(): void {
    this.started = true;
    for (const job of this.jobs) this.plan(job);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    for (const { timer } of this.jobs) if (timer) clearTimeout(timer);
    for (const { running } of this.jobs) await running;
  }

  /**
   * Runs a job now, as its timer would; resolves when it has ended. False: it failed, as the log says, or another node is
   * just doing it, with what there was to do when that began.
   */
  async runNow(name: string): Promise<boolean> {
    const job = this.jobs.find((each) => each.name === name);
    if (!job) throw new Error(`There is no periodic job called "${name}".`);
    await job.running;
    return this.run(job);
  }

  /**
   * Does what has come due in the current workspace, by its clock, each job in a unit of work. One that fails keeps no other waiting.
   *
   * @returns whether some stopped at the end of a batch
   */
  async runByClock(): Promise<boolean> {
    let isMore = false;
    for (const job of this.jobs.filter(({ byClock }) => byClock)) {
      try {
        const outcome = await this.database.transaction(() => job.work());
        isMore ||= outcome === RUN_AGAIN;
      } catch (error) {
        const { message, stack } = error as Error;
        this.logger.error(`Periodic job "${job.name}" failed in a sandbox: ${message}`, stack);
      }
    }
    return isMore;
  }

  private plan(job: Job): void {
    const isWorker = this.config.role !== 'api';
    if (this.stopping || !(isWorker || job.forRequests)) return;
    // Nodes that started together need not wake together.
    const pauseMs = job.everyMs * job.rest * (isWorker ? 1 : BESIDE) * (0.9 + Math.random() * 0.2);
    job.timer = setTimeout(() => void this.run(job).then(() => this.plan(job)), pauseMs).unref();
  }

  private run(job: Job): Promise<boolean> {
    job.running ??= this.attempt(job).finally(() => (job.running = null));
    return job.running;
  }

  private async attempt(job: Job): Promise<boolean> {
    try {
      let outcome: unknown;
      do outcome = await (job.everyNode ? job.work() : this.alone(job));
      while (outcome === RUN_AGAIN && !this.stopping);
      if (outcome === ELSEWHERE) return false;
      job.rest = outcome === NOTHING_TO_DO ? Math.min(2 * job.rest, LONGEST_REST) : 1;
      if (job.failing) this.logger.warn(`Periodic job "${job.name}" works again.`);
      job.failing = false;
    } catch (error) {
      // Once per outage: a job that runs four times a second would fill the log with one and the same line.
      const { message, stack } = error as Error;
      if (!job.failing) this.logger.error(`Periodic job "${job.name}" failed: ${message}`, stack);
      job.failing = true;
      return false;
    }
    return true;
  }

  private alone(job: Job): Promise<unknown> {
    return this.database.system(async () => {
      const [lock] = await this.database.query<{ held: boolean }>(
        'SELECT pg_try_advisory_xact_lock(hashtext($1)) AS held',
        [job.name],
      );
      return lock?.held ? job.work() : ELSEWHERE;
    });
  }
}
