import { Entity } from 'typeorm';
import { EnumColumn, IntegerColumn, ReferenceColumn, StringColumn } from 'helpdesk-api/platform/columns/columns';
import { ResourceEntity } from 'helpdesk-api/platform/resource/resource-entity';
import type { OneOf } from 'helpdesk-api/platform/resource/rows';

export const vehicleStatuses = ['free', 'on_the_road', 'broken'] as const;

/** A vehicle that goes out to customers. */
@Entity('vehicles')
export class Vehicle extends ResourceEntity {
  @StringColumn({ required: true, max: 20, example: 'B-HD 1042', description: 'Number plate; unique, case aside.' })
  plate: string;

  @StringColumn({ max: 120, nullable: true, example: 'Crafter 35' })
  model: string | null;

  @EnumColumn(vehicleStatuses, { default: 'free' })
  status: OneOf<typeof vehicleStatuses>;

  @ReferenceColumn('users', { nullable: true })
  driver_id: number | null;

  @IntegerColumn({ min: 0, default: 0, description: 'Kilometres.' })
  mileage: number;
}
