import { defineResource } from 'helpdesk-api/platform/resource/resource';
import { Vehicle } from './vehicle.entity';

export const vehicleResource = defineResource(Vehicle, {
  name: 'vehicles',
  singular: 'vehicle',
  table: 'vehicles',
  sort: { plate: { column: 'plate', type: 'text' }, mileage: { column: 'mileage', type: 'integer' } },
  filter: ['status', 'driver_id'],
  search: { view: 'vehicles_search', over: ['plate', 'model'] },
  expand: {
    driver: { one: 'users', by: 'driver_id' },
    tickets: { many: 'tickets', by: 'vehicles_vehicle_id', limit: 50, order: 'created_at' },
  },
  notice: { path: '/vehicles', title: ['plate'] },
});
