import { Module } from '@nestjs/common';
import { StoreModule } from '../../platform/resource/store.module';
import { AgentNotices } from './notices/agent-notices';
import { Assignment } from './assignment.service';
import { roleResource } from './roles/role.resource';
import { RolesController } from './roles/roles.controller';
import { RolesService } from './roles/roles.service';
import { UserTakeover } from './user-takeover';
import { userResource } from './user.resource';
import { UsersController } from './users.controller';
import { UsersService } from './users.service';

@Module({
  imports: [StoreModule.forFeature(userResource, roleResource)],
  controllers: [UsersController, RolesController],
  providers: [UsersService, RolesService, Assignment, AgentNotices, UserTakeover],
  exports: [UsersService, Assignment, AgentNotices],
})
export class UsersModule {}
