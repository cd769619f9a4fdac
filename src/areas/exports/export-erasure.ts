import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { WorkspaceRepository } from '../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../platform/database/workspace-repository.module';
import { Keepers } from '../../platform/privacy/keepers';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { In } from 'typeorm';
import { ArchiveParts } from './archive/archive-parts';
import { Export } from './export.entity';
import { ExportWriter } from './export-writer';

/** Archives that were made before somebody was erased have the person in them: complete ones go, the others are begun anew. */
@Injectable()
export class ExportErasure implements OnModuleInit {
  constructor(
    @InjectStore(Export) private readonly exports: Store<Export>,
    @InjectWorkspaceRepository(Export) private readonly known: WorkspaceRepository<Export>,
    private readonly keepers: Keepers,
    private readonly parts: ArchiveParts,
    private readonly writer: ExportWriter,
  ) {}

  onModuleInit(): void {
    this.keepers.registerWhole(() => this.remake());
  }

  private async remake(): Promise<void> {
    const made = { status: In(['running', 'completed']) };
    for (const { id } of await this.known.find({ select: { id: true }, where: made, order: { id: 'ASC' } })) {
      const row = await this.exports.lockIfAny(id);
      if (row?.status === 'running') await this.writer.beginAnew(row);
      if (row?.status !== 'completed') continue;
      await this.parts.takeAway(id);
      await this.exports.apply(row, { values: { status: 'expired' }, events: ['export.expired'] });
    }
  }
}
