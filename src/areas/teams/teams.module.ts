import { Module } from '@nestjs/common';
import { StoreModule } from '../../platform/resource/store.module';
import { UsersModule } from '../users/users.module';
import { TeamMembersController } from './team-members.controller';
import { teamResource } from './team.resource';
import { TeamMetricsService } from './team-metrics.service';
import { TeamsController } from './teams.controller';
import { TeamsService } from './teams.service';

@Module({
  imports: [StoreModule.forFeature(teamResource), UsersModule],
  controllers: [TeamsController, TeamMembersController],
  providers: [TeamsService, TeamMetricsService],
})
export class TeamsModule {}
