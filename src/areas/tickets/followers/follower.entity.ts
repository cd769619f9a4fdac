import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ComputedColumn, EnumColumn, ReferenceColumn, TimestampColumn } from '../../../platform/columns/columns';
import type { Computed, OneOf } from '../../../platform/resource/rows';

/** Why somebody follows a ticket. */
export const FOLLOW_REASONS = ['manual', 'mention', 'copy'] as const;
export type FollowReason = OneOf<typeof FOLLOW_REASONS>;

const readOnly = true;

/** A user who is told what happens to a ticket without working on it. */
@Entity('ticket_followers')
export class TicketFollower {
  @PrimaryColumn({ type: 'bigint' })
  @ComputedColumn({ type: 'integer', format: 'int64' }, (follower) => `${follower}.id`)
  id: Computed<number>;

  @Column({ type: 'bigint' })
  workspace_id: number;

  @ReferenceColumn('tickets', { readOnly })
  ticket_id: number;

  @ReferenceColumn('users', { example: 2, description: 'An active user; the caller unless given.' })
  user_id: number;

  @EnumColumn(FOLLOW_REASONS, {
    readOnly,
    description:
      'Somebody said so (`manual`), a note named them (`mention`), or a mail was sent to them, too (`copy`).',
  })
  reason: FollowReason;

  @TimestampColumn({ readOnly })
  created_at: string;
}
