import { Module } from '@nestjs/common';
import { AccessModule } from '../../platform/auth/access.module';
import { StoreModule } from '../../platform/resource/store.module';
import { AttachmentsModule } from '../attachments/attachments.module';
import { LogoController } from './logo/logo.controller';
import { LogoService } from './logo/logo.service';
import { WorkspaceController } from './workspace.controller';
import { workspaceResource } from './workspace.resource';
import { WorkspaceService } from './workspace.service';

@Module({
  imports: [StoreModule.forFeature(workspaceResource), AccessModule, AttachmentsModule],
  controllers: [LogoController, WorkspaceController],
  providers: [LogoService, WorkspaceService],
})
export class WorkspaceModule {}
