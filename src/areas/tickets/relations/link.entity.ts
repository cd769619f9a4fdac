import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ComputedColumn, EnumColumn, ReferenceColumn, TimestampColumn } from '../../../platform/columns/columns';
import type { Computed } from '../../../platform/resource/rows';
import { LINK_TYPES, type LinkType } from './link-types';

const readOnly = true;

/** A link between two tickets as the one shows it; the other shows the same link the other way round. */
@Entity('ticket_link_sides')
export class TicketLink {
  @PrimaryColumn({ type: 'bigint' })
  @ComputedColumn({ type: 'integer', format: 'int64' }, (link) => `${link}.id`)
  id: Computed<number>;

  @Column({ type: 'bigint' })
  workspace_id: number;

  @ReferenceColumn('tickets', { readOnly })
  ticket_id: number;

  @EnumColumn(LINK_TYPES, {
    required: true,
    example: 'relates',
    description: 'What the ticket does to the other, or is done by it.',
  })
  type: LinkType;

  @ReferenceColumn('tickets', { required: true, description: 'The other ticket.', example: 2 })
  linked_ticket_id: number;

  @ReferenceColumn('users', { readOnly, nullable: true, description: 'Who linked them; null for tokens of nobody.' })
  created_by: number | null;

  @TimestampColumn({ readOnly })
  created_at: string;
}
