import { Entity } from 'typeorm';
import { BooleanColumn, IntegerColumn, JsonColumn, StringColumn } from '../../platform/resource/columns';
import { ResourceEntity } from '../../platform/resource/resource-entity';
import type { SlaTargets } from './sla-targets';

/** Response and resolution targets per priority. */
@Entity('sla_policies')
export class SlaPolicy extends ResourceEntity {
  @StringColumn({ required: true, max: 255 })
  name: string;

  @StringColumn({ max: 2_000, nullable: true })
  description: string | null;

  @BooleanColumn({ default: true })
  is_active: boolean;

  @BooleanColumn({ default: false })
  is_default: boolean;

  @IntegerColumn({ min: 1, default: 1 })
  position: number;

  @JsonColumn({ required: true })
  targets: SlaTargets;
}
