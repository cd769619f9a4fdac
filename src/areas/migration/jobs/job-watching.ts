import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { PassThrough, type Readable } from 'node:stream';
import { currentAccess, currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { ApiError } from '../../../platform/errors/api-error';
import { AnyMember, EnumMember } from '../../../platform/http/answer-members';
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
const MAX_STREAMS = 500;
const EVERY_MS = 1_000;
/** Nothing else was sent for so many rounds: a sign of life. */
const HEARTBEAT_ROUNDS = 15;
/** A stream ends after so long; its client comes back and is asked anew who it is. */
const LIFE_MS = 5 * 60_000;
/** Bytes that a client has not taken; it is told no more then. */
const MAX_WAITING = 65_536;
const SYSTEM = { type: 'system', id: null, name: 'system' } as const;
const MOVING: readonly MigrationStatus[] = ['validating', 'running', 'rolling_back'];

interface Stream {
  tokenId: number;
  workspaceId: number;
  jobId: number;
  output: PassThrough;
  endsAt: number;
  shown: string;
  quietRounds: number;
}

/** Tells how far jobs are while they move. No connection is held meanwhile; one timer serves all streams of the process, and one read each job. */
@Injectable()
export class JobWatching implements OnModuleDestroy {
  private readonly streams = new Set<Stream>();
  private timer: NodeJS.Timeout | null = null;
  private closing = false;

  constructor(
    @InjectReader(MigrationJob) private readonly jobs: Reader<MigrationJob>,
    private readonly database: Database,
  ) {}

  onModuleDestroy(): void {
    this.closing = true;
    for (const { output } of this.streams) output.end();
  }

  /** @throws ApiError 404 */
  async now(id: number): Promise<JobProgress> {
    const { status, progress } = await this.jobs.whole(id);
    return { status, progress };
  }

  /** The same as a stream until the job is at rest. @throws ApiError 404, 429, 503 */
  async watch(id: number): Promise<Readable> {
    const { token } = currentAccess();
    const now = await this.now(id);
    this.requireRoom(token.id);
    const stream: Stream = {
      tokenId: token.id,
      workspaceId: currentWorkspaceId(),
      jobId: id,
      output: new PassThrough(),
      endsAt: performance.now() + LIFE_MS,
      shown: '',
      quietRounds: 0,
    };
    stream.output.on('error', () => undefined);
    stream.output.once('close', () => this.leave(stream));
    stream.output.write('retry: 1000\n\n');
    this.streams.add(stream);
    this.timer ??= setInterval(() => void this.round(), EVERY_MS).unref();
    this.tell(stream, now);
    return stream.output;
  }

  private requireRoom(tokenId: number): void {
    const headers = { 'Retry-After': '5' };
    if (this.closing)
      throw new ApiError('service_unavailable', 'The service is being restarted; try again.', { headers });
    if ([...this.streams].filter((stream) => stream.tokenId === tokenId).length >= MAX_PER_TOKEN)
      throw new ApiError('rate_limit_exceeded', `A token has at most ${MAX_PER_TOKEN} streams; end one.`, { headers });
    if (this.streams.size >= MAX_STREAMS)
      throw new ApiError('service_unavailable', 'Too many streams are open; try again.', { headers });
  }

  private leave(stream: Stream): void {
    this.streams.delete(stream);
    if (this.streams.size > 0 || !this.timer) return;
    clearInterval(this.timer);
    this.timer = null;
  }

  private async round(): Promise<void> {
    const byJob = new Map<string, Stream[]>();
    for (const stream of this.streams) {
      const name = `${stream.workspaceId} ${stream.jobId}`;
      byJob.set(name, [...(byJob.get(name) ?? []), stream]);
    }
    for (const streams of byJob.values()) {
      const [first] = streams;
      if (!first) continue;
      const { workspaceId, jobId } = first;
      const now = await this.database
        .inWorkspace(workspaceId, SYSTEM, () => this.now(jobId))
        .catch((error: unknown) => (error instanceof ApiError && error.type === 'not_found' ? null : undefined));
      for (const stream of streams) {
        if (now) this.tell(stream, now);
        // A database that is away now answers in a moment.
        else if (now === null) stream.output.end();
      }
    }
  }

  private tell(stream: Stream, now: JobProgress): void {
    const { output } = stream;
    if (!output.writable) return;
    // Whoever takes nothing would only pile up what is long untrue.
    if (output.readableLength > MAX_WAITING) return void output.destroy();
    const told = `event: progress\ndata: ${JSON.stringify(now)}\n\n`;
    const isNews = told !== stream.shown;
    stream.quietRounds = isNews ? 0 : stream.quietRounds + 1;
    stream.shown = told;
    if (isNews) output.write(told);
    else if (stream.quietRounds % HEARTBEAT_ROUNDS === 0) output.write(':\n\n');
    if (!MOVING.includes(now.status)) output.end('event: end\ndata: {}\n\n');
    else if (stream.endsAt <= performance.now()) output.end();
  }
}
