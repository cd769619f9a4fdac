import { Module } from '@nestjs/common';
import { StoreModule } from '../../platform/resource/store.module';
import { attachmentResource } from './attachment.resource';
import { AttachmentsController } from './attachments.controller';
import { AttachmentsService } from './attachments.service';
import { AttachmentContent } from './content/attachment-content';
import { AttachmentHolders } from './holders/attachment-holders';
import { Attaching } from './holders/attaching';
import { FileIntake } from './intake/file-intake';
import { ImportedFiles } from './intake/imported-files';
import { Receiving } from './intake/receiving';
import { UnwantedFiles } from './intake/unwanted-files';
import { AttachmentPageController } from './page/attachment-page.controller';
import { AttachmentPageService } from './page/attachment-page.service';
import { Thumbnails } from './thumbnails/thumbnails';
import { AttachmentQuota } from './upkeep/attachment-quota';
import { AttachmentUpkeep } from './upkeep/attachment-upkeep';

@Module({
  imports: [StoreModule.forFeature(attachmentResource)],
  controllers: [AttachmentsController, AttachmentPageController],
  providers: [
    AttachmentsService,
    AttachmentContent,
    AttachmentHolders,
    AttachmentPageService,
    AttachmentQuota,
    AttachmentUpkeep,
    Attaching,
    FileIntake,
    ImportedFiles,
    Receiving,
    Thumbnails,
    UnwantedFiles,
  ],
  exports: [Attaching, AttachmentHolders, AttachmentsService, FileIntake, ImportedFiles, UnwantedFiles],
})
export class AttachmentsModule {}
