import { PartialType } from '@nestjs/swagger';
import { BodyOf, MembersOf } from 'helpdesk-api/platform/columns/bodies';
import { Vehicle } from './vehicle.entity';

const writable = ['plate', 'model', 'status', 'driver_id', 'mileage', 'external_id', 'custom_fields'] as const;

@BodyOf(Vehicle, writable)
export class CreateVehicle extends MembersOf(Vehicle, writable, ['plate']) {}

@BodyOf(Vehicle, writable)
export class UpdateVehicle extends PartialType(CreateVehicle, { skipNullProperties: false }) {}
