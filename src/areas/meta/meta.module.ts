import { Module } from '@nestjs/common';
import { HealthController } from './health.controller';
import { MeController } from './me.controller';

@Module({ controllers: [MeController, HealthController] })
export class MetaModule {}
