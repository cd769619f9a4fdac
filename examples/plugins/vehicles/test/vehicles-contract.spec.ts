import { describeResource } from 'helpdesk-api/testing/describe-resource';
import { CreateVehicle, UpdateVehicle } from '../vehicle.dto';
import { vehicleResource } from '../vehicle.resource';

describeResource({
  resource: vehicleResource,
  path: () => '/vehicles',
  bodies: { create: CreateVehicle, update: UpdateVehicle },
  prepare: async (api) => ({
    driver: (await api.post('/users', { name: 'Eve', email: 'eve@example.com' })).expect(201).data.id,
  }),
  create: (serial, made) => ({
    plate: `B-HD ${serial}`,
    model: serial % 3 ? `Crafter ${serial % 4}` : null,
    status: serial % 2 ? 'free' : 'on_the_road',
    driver_id: serial % 2 ? made.driver : null,
    mileage: serial,
  }),
  update: (serial, made) => ({
    plate: `M-HD ${serial}`,
    model: 'Sprinter',
    status: 'broken',
    driver_id: made.driver,
    mileage: 1_000 + serial,
  }),
  required: ['plate'],
  invalid: {
    plate: ['', 7, 'x'.repeat(21)],
    model: [7],
    status: ['lost'],
    driver_id: ['x', 0],
    mileage: [-1, '7'],
  },
});
