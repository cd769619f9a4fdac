import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { WorkspaceRepository } from '../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../platform/database/workspace-repository.module';
import { fail, invalid } from '../../platform/errors/api-error';
import type { SingleResult } from '../../platform/http/results';
import { JobQueue } from '../../platform/queue/job-queue';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { ArchiveParts } from './archive/archive-parts';
import { EXPORT_JOB } from './export-job';
import { exportable } from './export-steps';
import type { CreateExport } from './export.dto';
import { Export } from './export.entity';
import { requireWholeSight } from './whole-sight';

/** Archives of a workspace that there are, or will be. */
const MAX_KEPT = 5;

/** Everything of a workspace, to be taken along. */
@Injectable()
export class ExportsService {
  constructor(
    @InjectStore(Export) private readonly exports: Store<Export>,
    @InjectWorkspaceRepository(Export) private readonly known: WorkspaceRepository<Export>,
    private readonly queue: JobQueue,
    private readonly parts: ArchiveParts,
  ) {}

  /** @throws ApiError 409 where there are enough; 403 for those who see only some tickets */
  create(body: CreateExport): Promise<SingleResult> {
    requireWholeSight();
    return this.exports.holding(async () => {
      const { id, result } = await this.createKnown(body);
      await this.queue.add([{ kind: EXPORT_JOB, subject_id: id, group_id: id }]);
      return result;
    });
  }

  /** Adds an export that nobody makes yet. Inside a unit of work that holds the topic. */
  async createKnown(body: CreateExport): Promise<{ id: number; result: SingleResult }> {
    const allowed = exportable().map(({ name }) => name);
    if ((body.resources ?? []).some((name) => !allowed.includes(name)))
      invalid('resources', 'enum', `"resources" must be names of ${allowed.join(', ')}.`, { allowed });
    const kept = await this.known.countBy({ status: In(['queued', 'running', 'completed']) });
    if (kept >= MAX_KEPT)
      fail('conflict', `A workspace has at most ${MAX_KEPT} exports that are made or can be downloaded; delete one.`);
    return this.exports.createKnown(body);
  }

  /** Nothing more is put in, and what there is goes. One that is over stays as it is. */
  cancel(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.exports.mutate(id, expected, async ({ status }) => {
      if (status !== 'queued' && status !== 'running') return { values: {} };
      await this.parts.takeAway(id);
      return { values: { status: 'cancelled' }, events: ['export.cancelled'] };
    });
  }

  remove(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.exports.remove(id, expected, () => this.parts.takeAway(id));
  }
}
