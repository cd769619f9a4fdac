import { Module } from '@nestjs/common';
import { HealthController } from './health.controller';
import { MeController } from './me.controller';
import { StatsFolder } from './stats/stats-folder';
import { StatsController } from './stats/stats.controller';
import { StatsService } from './stats/stats.service';

@Module({
  controllers: [MeController, HealthController, StatsController],
  providers: [StatsService, StatsFolder],
})
export class MetaModule {}
