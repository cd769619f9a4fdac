import { Module } from '@nestjs/common';
import { StoreModule } from '../../platform/resource/store.module';
import { AttachmentsModule } from '../attachments/attachments.module';
import { ArchiveParts } from './archive/archive-parts';
import { ExportContent } from './export-content';
import { ExportDownloads } from './export-downloads';
import { ExportErasure } from './export-erasure';
import { ExportJob } from './export-job';
import { ExportPageController } from './export-page.controller';
import { ExportUpkeep } from './export-upkeep';
import { ExportWriter } from './export-writer';
import { exportResource } from './export.resource';
import { ExportsController } from './exports.controller';
import { ExportsService } from './exports.service';

@Module({
  imports: [StoreModule.forFeature(exportResource), AttachmentsModule],
  controllers: [ExportsController, ExportPageController],
  providers: [
    ...[ArchiveParts, ExportContent, ExportDownloads, ExportErasure],
    ...[ExportJob, ExportsService, ExportUpkeep, ExportWriter],
  ],
})
export class ExportsModule {}
