import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Job, JobHandler, JobOutcome } from '../../platform/queue/job-handler';
import { JobQueue } from '../../platform/queue/job-queue';
import { ExportWriter } from './export-writer';

export const EXPORT_JOB = 'export';

/** So long an attempt adds parts; then others have their turn. */
const TURN_MS = 5_000;

/** Makes exports, one at a time in a workspace and some seconds at a time: what is done stays done, whoever does the rest. */
@Injectable()
export class ExportJob implements JobHandler, OnModuleInit {
  readonly kind = EXPORT_JOB;
  readonly perGroup = 1;
  readonly perWorkspace = 1;
  /** A part may be one file of 2 GB. */
  readonly leaseMs = 300_000;

  constructor(
    private readonly queue: JobQueue,
    private readonly writer: ExportWriter,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  async perform({ subject_id: id }: Job): Promise<JobOutcome> {
    await this.writer.begin(id);
    const until = performance.now() + TURN_MS;
    while (await this.writer.piece(id)) if (performance.now() > until) return { retryInMs: 0 };
    return {};
  }
}
