import { Module } from '@nestjs/common';
import { WorkspaceRepositoryModule } from '../../platform/database/workspace-repository.module';
import { StoreModule } from '../../platform/resource/store.module';
import { MailTemplate } from './mail-template.entity';
import { mailTemplateResource } from './mail-template.resource';
import { MailTemplatesController } from './mail-templates.controller';
import { MailTemplatesService } from './mail-templates.service';

@Module({
  imports: [StoreModule.forFeature(mailTemplateResource), WorkspaceRepositoryModule.forFeature([MailTemplate])],
  controllers: [MailTemplatesController],
  providers: [MailTemplatesService],
})
export class MailTemplatesModule {}
