import { Column, Entity, PrimaryColumn } from 'typeorm';
import {
  ComputedColumn,
  EnumColumn,
  IntegerColumn,
  ReferenceColumn,
  StringColumn,
  TimestampColumn,
} from '../../../platform/columns/columns';
import type { Computed, OneOf } from '../../../platform/resource/rows';

export const MIN_SCORE = 1;
export const MAX_SCORE = 5;
export const MAX_COMMENT = 4_000;
export const RATING_SOURCES = ['api', 'link'] as const;

export type RatingSource = (typeof RATING_SOURCES)[number];

const readOnly = true;
const nullable = true;

/** What the requester thinks of one resolution of a ticket; a later word on the same resolution replaces it. */
@Entity('ticket_ratings')
export class TicketRating {
  @PrimaryColumn({ type: 'bigint' })
  @ComputedColumn({ type: 'integer', format: 'int64' }, (rating) => `${rating}.id`)
  id: Computed<number>;

  @Column({ type: 'bigint' })
  workspace_id: number;

  @ReferenceColumn('tickets', { readOnly })
  ticket_id: number;

  @IntegerColumn({ readOnly, min: 1, description: 'Which resolution of the ticket was rated: 1 is the first.' })
  resolution: number;

  @IntegerColumn({ readOnly, min: MIN_SCORE, max: MAX_SCORE, description: '1 = very bad, 5 = very good.' })
  score: number;

  @StringColumn({ readOnly, nullable, max: MAX_COMMENT })
  comment: string | null;

  @EnumColumn(RATING_SOURCES, { readOnly, description: 'Through the API, or on the page that the link leads to.' })
  source: OneOf<typeof RATING_SOURCES>;

  @ReferenceColumn('teams', { readOnly, nullable, description: 'Team of the ticket when it was rated.' })
  team_id: number | null;

  @ReferenceColumn('users', { readOnly, nullable, description: 'Assignee of the ticket when it was rated.' })
  assigned_to: number | null;

  @TimestampColumn({ readOnly, description: 'When the score was given as it is now.' })
  rated_at: string;

  @TimestampColumn({ readOnly, description: 'When this resolution was rated first.' })
  created_at: string;
}
