import { Column, Entity } from 'typeorm';
import {
  ComputedColumn,
  EnumColumn,
  IntegerColumn,
  JsonColumn,
  LooseIdColumn,
  ReferenceColumn,
  ReferencesColumn,
  StringColumn,
  TextColumn,
  TimestampColumn,
} from '../../platform/columns/columns';
import { type Failure, failureSchema } from '../../platform/columns/failure';
import { ResourceEntity } from '../../platform/resource/resource-entity';
import type { Computed, OneOf } from '../../platform/resource/rows';
import { type AttachedFile, attachedSchema } from '../attachments/holders/attached-file';
import { MAX_MESSAGE, MESSAGE_AUTHORS, MESSAGE_DIRECTIONS, MESSAGE_STATUSES, MESSAGE_TYPES } from './channel-values';
import { flatObjectSchema, IsFlatObject } from '../../platform/columns/column-validators';
import { type MessageTemplate, templateShape } from './message-template';
import { type Reaction, reactionsOf, reactionsSchema, readersOf } from './marks/marks-sql';

/** Something that was said in a conversation. */
@Entity('channel_messages')
export class ThreadMessage extends ResourceEntity {
  @ReferenceColumn('channels', { required: true })
  channel_id: number;

  @ReferenceColumn('channel_threads', {
    description: 'The conversation; without it, and without `reply_to_id` and `to`, a message begins one.',
  })
  thread_id: number;

  @ReferenceColumn('channel_messages', { nullable: true, description: 'Of the same conversation.' })
  reply_to_id: number | null;

  @ReferenceColumn('contacts', { nullable: true, readOnly: true, description: 'Who wrote it, or is written to.' })
  contact_id: number | null;

  @EnumColumn(MESSAGE_DIRECTIONS, { readOnly: true })
  direction: OneOf<typeof MESSAGE_DIRECTIONS>;

  @EnumColumn(MESSAGE_TYPES, { default: 'text', readOnly: true })
  message_type: OneOf<typeof MESSAGE_TYPES>;

  @TextColumn({
    required: true,
    max: MAX_MESSAGE,
    example: 'Your fuser is on its way.',
    description: 'Empty once deleted.',
  })
  body: string;

  @JsonColumn({
    default: {},
    rules: [IsFlatObject()],
    description:
      'What a program wants to know again, or the other side tells besides: a place, that it was sent on. Flat object, at most 50 keys.',
    api: flatObjectSchema,
    example: { order: 'A-1042' },
  })
  metadata: Record<string, unknown>;

  @JsonColumn({
    nullable: true,
    shape: templateShape,
    description:
      'Sent in place of `body`, which says here what it says: of WhatsApp, where more than 24 hours after the last message of the other side nothing else is taken.',
  })
  template: MessageTemplate | null;

  @JsonColumn({ default: [], readOnly: true, api: attachedSchema, description: 'Its files.' })
  attachments: AttachedFile[];

  @EnumColumn(MESSAGE_AUTHORS, { readOnly: true })
  author_type: OneOf<typeof MESSAGE_AUTHORS>;

  @LooseIdColumn({ nullable: true, readOnly: true, description: 'User id of an agent, contact id of a contact.' })
  author_id: number | null;

  @StringColumn({ max: 255, nullable: true, readOnly: true })
  author_name: string | null;

  @ReferencesColumn('users', {
    readOnly: true,
    description: 'Whom it names in an internal channel, as notes on tickets do.',
  })
  mentioned_ids: number[];

  @EnumColumn(MESSAGE_STATUSES, {
    readOnly: true,
    description: '`queued` until the other side has taken it; `failed`: it never did, and `error` says why.',
  })
  status: OneOf<typeof MESSAGE_STATUSES>;

  @JsonColumn({
    nullable: true,
    readOnly: true,
    api: failureSchema,
  })
  error: Failure | null;

  @StringColumn({
    max: 255,
    nullable: true,
    readOnly: true,
    description: 'What the other side calls it; unique in the channel.',
  })
  external_message_id: string | null;

  @IntegerColumn({ readOnly: true, min: 1, description: 'Its place in the conversation, from 1.' })
  position: number;

  @ReferenceColumn('ticket_comments', { nullable: true, readOnly: true, description: 'The same on the ticket.' })
  comment_id: number | null;

  @TimestampColumn({ nullable: true, readOnly: true, description: 'When it was sent, by who sent it.' })
  sent_at: string | null;

  @TimestampColumn({ nullable: true, readOnly: true })
  delivered_at: string | null;

  @TimestampColumn({ nullable: true, readOnly: true, description: 'By the other side.' })
  read_at: string | null;

  @TimestampColumn({ nullable: true, readOnly: true })
  edited_at: string | null;

  @TimestampColumn({ nullable: true, readOnly: true })
  deleted_at: string | null;

  @ComputedColumn(
    { type: 'integer', format: 'int64', description: 'Of the conversation, now.' },
    (message) =>
      `(SELECT h.ticket_id FROM channel_threads h WHERE h.workspace_id = ${message}.workspace_id AND h.id = ${message}.thread_id)`,
    true,
  )
  ticket_id: Computed<number | null>;

  @ComputedColumn(reactionsSchema, reactionsOf)
  reactions: Computed<Reaction[]>;

  @ComputedColumn(
    {
      type: 'array',
      items: { type: 'integer', format: 'int64' },
      description: 'Users who have read so far, at most 100.',
    },
    readersOf,
  )
  read_by: Computed<number[]>;

  /** Times that it was tried; where it leaves in parts, the part whose turn it is. */
  @Column({ type: 'integer' })
  attempts: number;

  /** Parts that the other side has taken, while others wait. */
  @Column({ type: 'integer' })
  parts_sent: number;

  /** What the other side calls them; the last part is `external_message_id`. */
  @Column({ type: 'text', array: true })
  part_ids: string[];
}
