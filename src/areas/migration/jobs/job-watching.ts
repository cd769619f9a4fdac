import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { currentAccess, currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { ApiError } from '../../../platform/errors/api-error';
import { AnyMember, EnumMember } from '../../../platform/http/answer-members';
import { eventFrame, EventStream } from '../../../platform/http/streams/event-stream';
import { Seats } from '../../../platform/http/streams/seats';
import { Reader } from '../../../platform/resource/reader';
import { InjectReader } from '../../../platform/resource/store.module';
import { MigrationJob } from './migration-job.entity';
import { MIGRATION_STATUSES, type MigrationStatus } from './migration-states';

/** How far a job is. */
export class JobProgress {
  @EnumMember(MIGRATION_STATUSES)
  status: MigrationStatus;

  @AnyMember({ type: 'object', additionalProperties: true }, { description: 'As in the job.' })
  progress: object;
}

/** Streams of one token, and of this process. */
export const MAX_PER_TOKEN = 10;
const SEATS = { token: MAX_PER_TOKEN, process: 500 };
const EVERY_MS = 1_000;
/** Bytes that a client has not taken: what piles up is long untrue. */
const MAX_WAITING = 65_536;
const SYSTEM = { type: 'system', id: null, name: 'system' } as const;
const MOVING: readonly MigrationStatus[] = ['validating', 'running', 'rolling_back'];

/** One that tells how far a job is. */
class JobStream extends EventStream {
  private shown = '';

  constructor(
    readonly workspaceId: number,
    readonly jobId: number,
  ) {
    super(MAX_WAITING);
  }

  tell(now: JobProgress): void {
    const told = eventFrame('progress', now);
    if (told !== this.shown) this.write(told);
    this.shown = told;
    if (!MOVING.includes(now.status)) this.end(eventFrame('end', {}));
  }
}

/** Tells how far jobs are while they move. No connection is held meanwhile; one timer serves all streams of the process, and one read each job. */
@Injectable()
export class JobWatching implements OnModuleDestroy {
  private readonly streams = new Set<JobStream>();
  private readonly seats = new Seats(SEATS);
  private timer: NodeJS.Timeout | null = null;
  private isLooking = false;

  constructor(
    @InjectReader(MigrationJob) private readonly jobs: Reader<MigrationJob>,
    private readonly database: Database,
  ) {}

  onModuleDestroy(): void {
    this.seats.close();
    for (const stream of this.streams) stream.end();
  }

  /** @throws ApiError 404 */
  async now(id: number): Promise<JobProgress> {
    const { status, progress } = await this.jobs.whole(id);
    return { status, progress };
  }

  /** The same as a stream until the job is at rest. @throws ApiError 404, 429, 503 */
  async watch(id: number): Promise<EventStream> {
    const { token } = currentAccess();
    const now = await this.now(id);
    const workspaceId = currentWorkspaceId();
    const giveBack = this.seats.take(token.id, workspaceId);
    const stream = new JobStream(workspaceId, id);
    stream.output.once('close', () => {
      giveBack();
      this.leave(stream);
    });
    this.streams.add(stream);
    this.timer ??= setInterval(() => void this.round(), EVERY_MS).unref();
    stream.tell(now);
    return stream;
  }

  private leave(stream: JobStream): void {
    this.streams.delete(stream);
    if (this.streams.size > 0 || !this.timer) return;
    clearInterval(this.timer);
    this.timer = null;
  }

  /** One after the other: a database that answers late is not asked again meanwhile. */
  private async round(): Promise<void> {
    for (const stream of this.streams) stream.look();
    if (this.isLooking) return;
    this.isLooking = true;
    try {
      for (const streams of this.byJob()) await this.refresh(streams);
    } finally {
      this.isLooking = false;
    }
  }

  private byJob(): JobStream[][] {
    const byJob = new Map<string, JobStream[]>();
    for (const stream of this.streams) {
      const name = `${stream.workspaceId} ${stream.jobId}`;
      byJob.set(name, [...(byJob.get(name) ?? []), stream]);
    }
    return [...byJob.values()];
  }

  private async refresh(streams: readonly JobStream[]): Promise<void> {
    const [first] = streams;
    if (!first) return;
    const now = await this.database
      .inWorkspace(first.workspaceId, SYSTEM, () => this.now(first.jobId))
      .catch((error: unknown) => (error instanceof ApiError && error.type === 'not_found' ? null : undefined));
    for (const stream of streams) {
      if (now) stream.tell(now);
      // A database that is away now answers in a moment.
      else if (now === null) stream.end();
    }
  }
}
