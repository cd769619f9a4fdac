import { Module } from '@nestjs/common';
import { EventCatalogueController } from './event-catalogue.controller';
import { EventsController } from './events.controller';
import { EventsService } from './events.service';

@Module({ controllers: [EventsController, EventCatalogueController], providers: [EventsService] })
export class EventsModule {}
