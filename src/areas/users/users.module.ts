import { Module } from '@nestjs/common';
import { StoreModule } from '../../platform/resource/store.module';
import { AgentNotices } from './notices/agent-notices';
import { Assignment } from './assignment.service';
import { userResource } from './user.resource';
import { UsersController } from './users.controller';
import { UsersService } from './users.service';

@Module({
  imports: [StoreModule.forFeature(userResource)],
  controllers: [UsersController],
  providers: [UsersService, Assignment, AgentNotices],
  exports: [UsersService, Assignment],
})
export class UsersModule {}
