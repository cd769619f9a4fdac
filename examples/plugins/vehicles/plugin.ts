import { defineArea } from 'helpdesk-api/platform/area/area';
import { RESOURCE_TEXTS } from 'helpdesk-api/platform/area/personal';
import { usualPermissions } from 'helpdesk-api/platform/context/permission-table';
import { changesOf } from 'helpdesk-api/platform/events/event-domain';
import { CreateVehicles1770000000000 } from './migrations/1770000000000-create-vehicles';
import { radioProvider } from './radio.provider';
import { SendVehicle, sendVehicle } from './send-vehicle.action';
import { ticketFields } from './ticket-fields';
import { vehicleSearch } from './vehicle-search';
import { vehicleResource } from './vehicle.resource';
import { VehiclesModule } from './vehicles.module';

/** The vehicles of a company that goes out to its customers. */
export const plugin = defineArea({
  name: 'vehicles',
  module: VehiclesModule,
  resources: [vehicleResource],
  fields: [ticketFields],
  migrations: [CreateVehicles1770000000000],
  permissions: [
    ...usualPermissions('vehicles', 'vehicles', {
      read: 'light_agent',
      create: 'agent',
      update: 'agent',
      delete: 'supervisor',
    }),
  ],
  events: {
    domain: 'vehicle',
    label: 'Vehicles',
    events: {
      ...changesOf('vehicle', 'A vehicle'),
      'vehicle.broke_down': 'A vehicle broke down.',
    },
  },
  triggers: ['vehicle.broke_down'],
  actions: [sendVehicle],
  performers: [SendVehicle],
  providers: [radioProvider],
  search: [vehicleSearch],
  stats: [{ resource: vehicleResource, example: 4 }],
  demo: [{ resource: vehicleResource, values: { plate: 'B-HD 7', model: 'Crafter 35', mileage: 41_000 } }],
  personal: [{ table: 'vehicles', texts: [...RESOURCE_TEXTS, 'plate', 'model'], free: ['status'] }],
  tags: [{ name: 'Vehicles', description: 'Vehicles that go out to customers.' }],
});
