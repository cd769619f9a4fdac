import { defineArea } from 'helpdesk-api/platform/area/area';
import { CreateVehicles1770000000000 } from './migrations/1770000000000-create-vehicles';
import { ticketFields } from './ticket-fields';
import { vehicleResource } from './vehicle.resource';
import { VehiclesModule } from './vehicles.module';

/** The vehicles of a company that goes out to its customers. */
export const plugin = defineArea({
  name: 'vehicles',
  module: VehiclesModule,
  resources: [vehicleResource],
  fields: [ticketFields],
  migrations: [CreateVehicles1770000000000],
  events: {
    domain: 'vehicle',
    label: 'Vehicles',
    events: {
      'vehicle.created': 'A vehicle was created.',
      'vehicle.updated': 'A vehicle was changed.',
      'vehicle.deleted': 'A vehicle was deleted.',
      'vehicle.broke_down': 'A vehicle broke down.',
    },
  },
  tags: [{ name: 'Vehicles', description: 'Vehicles that go out to customers.' }],
});
