import { Module } from '@nestjs/common';
import { StoreModule } from '../../platform/resource/store.module';
import { teamResource } from './team.resource';
import { TeamMetricsService } from './team-metrics.service';
import { TeamsController } from './teams.controller';
import { TeamsService } from './teams.service';

@Module({
  imports: [StoreModule.forFeature(teamResource)],
  controllers: [TeamsController],
  providers: [TeamsService, TeamMetricsService],
})
export class TeamsModule {}
