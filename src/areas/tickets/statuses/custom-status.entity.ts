import { Entity } from 'typeorm';
import { BooleanColumn, EnumColumn, IntegerColumn, StringColumn } from '../../../platform/columns/columns';
import { LAST_PLACE } from '../../../platform/resource/last-place';
import { ResourceEntity } from '../../../platform/resource/resource-entity';
import type { OneOf } from '../../../platform/resource/rows';
import { TICKET_STATUSES } from '../ticket-values';

/** A status of a workspace's own, which stands for one of the five that all rules go by. */
@Entity('ticket_statuses')
export class CustomStatus extends ResourceEntity {
  @StringColumn({ required: true, max: 120, description: 'Unique, case aside.', example: 'Waiting for parts' })
  name: string;

  @StringColumn({ max: 2_000, nullable: true })
  description: string | null;

  @EnumColumn(TICKET_STATUSES, {
    required: true,
    example: 'on_hold',
    description: 'The status that tickets with it have. Fixed.',
  })
  status: OneOf<typeof TICKET_STATUSES>;

  @StringColumn({ max: 7, nullable: true, pattern: /^#[0-9A-Fa-f]{6}$/, example: '#3366FF' })
  color: string | null;

  @BooleanColumn({
    default: false,
    description: 'Tickets that come to the status by themselves, or by its name, get this one. One for each status.',
  })
  is_default: boolean;

  @IntegerColumn({ min: 0, max: LAST_PLACE, description: 'Lower stands first; last unless given.' })
  position: number;

  @BooleanColumn({ default: true, description: 'False: tickets that have it keep it, no other gets it.' })
  is_active: boolean;
}
