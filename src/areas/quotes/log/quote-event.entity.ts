import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import {
  ComputedColumn,
  EnumColumn,
  JsonColumn,
  ReferenceColumn,
  TimestampColumn,
} from '../../../platform/columns/columns';
import { QUOTE_STATUSES } from '../quote-values';
import type { Computed, OneOf } from '../../../platform/resource/rows';

export const QUOTE_EVENT_TYPES = [
  'created',
  'updated',
  'item_added',
  'item_updated',
  'item_removed',
  'sent',
  'viewed',
  'accepted',
  'rejected',
  'expired',
  'cancelled',
  'revised',
] as const;
export type QuoteEventType = (typeof QUOTE_EVENT_TYPES)[number];

const readOnly = true;
const nullable = true;

/** Something that happened to a quote. Rows are written once: PostgreSQL refuses to change or remove them. */
@Entity('quote_events')
export class QuoteEvent {
  @PrimaryGeneratedColumn({ type: 'bigint' })
  @ComputedColumn({ type: 'integer', format: 'int64' }, (event) => `${event}.id`)
  id: Computed<number>;

  @Column({ type: 'bigint' })
  workspace_id: number;

  @Column({ type: 'integer' })
  version: number;

  @ReferenceColumn('quotes', { readOnly })
  quote_id: number;

  @EnumColumn(QUOTE_EVENT_TYPES, { readOnly, description: 'A change of status is named after the new one.' })
  type: OneOf<typeof QUOTE_EVENT_TYPES>;

  @EnumColumn(QUOTE_STATUSES, { readOnly, nullable })
  from_status: OneOf<typeof QUOTE_STATUSES> | null;

  @EnumColumn(QUOTE_STATUSES, { readOnly, nullable })
  to_status: OneOf<typeof QUOTE_STATUSES> | null;

  @JsonColumn({
    readOnly,
    api: {
      type: 'object',
      required: ['type', 'id', 'name'],
      properties: {
        type: { type: 'string', example: 'user', description: '`customer`: on the public page.' },
        id: { type: 'integer', format: 'int64', nullable },
        name: { type: 'string' },
      },
    },
  })
  actor: { type: string; id: number | null; name: string };

  @JsonColumn({ readOnly, description: 'What belongs to it: changed fields, the item, a reason, a note.' })
  data: Record<string, unknown>;

  @TimestampColumn({ readOnly })
  created_at: string;
}
