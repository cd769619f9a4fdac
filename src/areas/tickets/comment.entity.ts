import { Entity } from 'typeorm';
import {
  BooleanColumn,
  EnumColumn,
  JsonColumn,
  LooseIdColumn,
  ReferenceColumn,
  ReferencesColumn,
  StringColumn,
  TextColumn,
  TimestampColumn,
} from '../../platform/columns/columns';
import { ResourceEntity } from '../../platform/resource/resource-entity';
import { type AttachedFile, attachedSchema } from '../attachments/holders/attached-file';
import { MAX_TEXT, TICKET_CHANNELS } from './ticket-values';
import type { OneOf } from '../../platform/resource/rows';

export const AUTHOR_TYPES = ['agent', 'requester', 'system', 'automation', 'ai'] as const;

/** A comment on a ticket: product reference 1.2. */
@Entity('ticket_comments')
export class TicketComment extends ResourceEntity {
  @ReferenceColumn('tickets', { readOnly: true })
  ticket_id: number;

  @TextColumn({ required: true, max: MAX_TEXT, example: 'We have ordered a new fuser.', description: 'Markdown.' })
  body: string;

  @BooleanColumn({ default: false, description: 'Only agents see it.' })
  is_internal: boolean;

  @EnumColumn(AUTHOR_TYPES, { default: 'agent', description: '`requester` records a reply of the customer.' })
  author_type: OneOf<typeof AUTHOR_TYPES>;

  @LooseIdColumn({ nullable: true, readOnly: true, description: 'User id of an agent, contact id of a requester.' })
  author_id: number | null;

  @StringColumn({ max: 255, nullable: true, readOnly: true })
  author_name: string | null;

  @StringColumn({ max: 255, nullable: true, readOnly: true })
  author_email: string | null;

  @EnumColumn(TICKET_CHANNELS, { readOnly: true })
  channel: OneOf<typeof TICKET_CHANNELS>;

  @JsonColumn({
    default: [],
    readOnly: true,
    api: attachedSchema,
    description: 'Its files.',
  })
  attachments: AttachedFile[];

  @BooleanColumn({ default: false, readOnly: true, description: 'True on the comment that was the first response.' })
  is_first_response: boolean;

  @ReferencesColumn('users', {
    readOnly: true,
    description:
      'Whom a note names: by `@[id]`, `@address`, or `@` and what stands before the `@` of one address alone.',
  })
  mentioned_ids: number[];

  @TimestampColumn({ nullable: true, readOnly: true })
  edited_at: string | null;
}
