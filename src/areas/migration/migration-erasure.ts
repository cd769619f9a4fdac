import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Not } from 'typeorm';
import type { WorkspaceRepository } from '../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../platform/database/workspace-repository.module';
import { Keepers } from '../../platform/privacy/keepers';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { MigrationFiles } from './files/migration-files';
import { MigrationJob } from './jobs/migration-job.entity';

const UNDER_WAY = ['draft', 'validating', 'ready', 'running', 'paused'];

/** Files that were sent before somebody was erased may have the person in them: they go, and with them what was still to come of them. */
@Injectable()
export class MigrationErasure implements OnModuleInit {
  constructor(
    @InjectStore(MigrationJob) private readonly jobs: Store<MigrationJob>,
    @InjectWorkspaceRepository(MigrationJob) private readonly known: WorkspaceRepository<MigrationJob>,
    private readonly keepers: Keepers,
    private readonly files: MigrationFiles,
  ) {}

  onModuleInit(): void {
    this.keepers.registerWhole(() => this.dropFiles());
  }

  private async dropFiles(): Promise<void> {
    const where = { source: Not<'api'>('api') };
    for (const { id } of await this.known.find({ select: { id: true }, where, order: { id: 'ASC' } })) {
      const job = await this.jobs.lockIfAny(id);
      if (!job || (await this.files.of(id)).length === 0) continue;
      await this.files.takeAway(id);
      if (!UNDER_WAY.includes(job.status)) continue;
      const last_error = 'Somebody was erased, who may be in its files: they are gone. Plan it anew.';
      await this.jobs.apply(job, { values: { status: 'failed', last_error }, events: ['migration.job_failed'] });
    }
  }
}
