import { RecordedEvents1764400100000 } from '../../../migrations/1764400100000-recorded-events';
import { defineArea } from '../../platform/area/area';
import { eventResource } from './event.resource';
import { EventsModule } from './events.module';

/** The log of everything that happened, and the catalogue of what can happen. */
export const eventsArea = defineArea({
  name: 'events',
  module: EventsModule,
  resources: [eventResource],
  migrations: [RecordedEvents1764400100000],
  permissions: [{ name: 'events.read', description: 'Read the log of events.', from: 'admin' }],
  tags: [{ name: 'Events', place: 170, description: 'The log of everything that happened, in order.' }],
});
