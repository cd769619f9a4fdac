import { Module } from '@nestjs/common';
import { AccessModule } from '../../platform/auth/access.module';
import { StoreModule } from '../../platform/resource/store.module';
import { WorkspaceController } from './workspace.controller';
import { workspaceResource } from './workspace.resource';
import { WorkspaceService } from './workspace.service';

@Module({
  imports: [StoreModule.forFeature(workspaceResource), AccessModule],
  controllers: [WorkspaceController],
  providers: [WorkspaceService],
})
export class WorkspaceModule {}
