import { Module } from '@nestjs/common';
import { StoreModule } from '../../platform/resource/store.module';
import { eventResource } from './event.resource';
import { EventCatalogueController } from './event-catalogue.controller';
import { EventsController } from './events.controller';
import { EventsService } from './events.service';

@Module({
  imports: [StoreModule.forFeature(eventResource)],
  controllers: [EventsController, EventCatalogueController],
  providers: [EventsService],
})
export class EventsModule {}
