import { Column, Entity } from 'typeorm';
import {
  EnumColumn,
  IntegerColumn,
  ReferenceColumn,
  StringColumn,
  TimestampColumn,
} from '../../platform/columns/columns';
import { ResourceEntity } from '../../platform/resource/resource-entity';
import type { OneOf } from '../../platform/resource/rows';
import { MAX_PEER, THREAD_STATUSES } from './channel-values';

/** A conversation in a channel: with one person or group outside, or among the people of the workspace. */
@Entity('channel_threads')
export class ChannelThread extends ResourceEntity {
  @ReferenceColumn('channels', { readOnly: true })
  channel_id: number;

  @ReferenceColumn('contacts', { nullable: true, description: 'Who is at the other end.' })
  contact_id: number | null;

  @ReferenceColumn('tickets', {
    nullable: true,
    description: 'What comes in is a comment on it, and public comments on it go out.',
  })
  ticket_id: number | null;

  @ReferenceColumn('users', { nullable: true, description: 'Who takes care of it.' })
  assigned_to: number | null;

  @StringColumn({ max: 255, nullable: true })
  subject: string | null;

  @EnumColumn(THREAD_STATUSES, { default: 'open', description: 'What comes in opens it again.' })
  status: OneOf<typeof THREAD_STATUSES>;

  @StringColumn({
    max: MAX_PEER,
    nullable: true,
    readOnly: true,
    description: 'Of the other end, by which it is written to.',
  })
  peer_address: string | null;

  @StringColumn({ max: MAX_PEER, nullable: true, readOnly: true })
  peer_name: string | null;

  @IntegerColumn({
    readOnly: true,
    min: 0,
    description: 'Also of messages that were deleted: the position of the last one.',
  })
  message_count: number;

  @IntegerColumn({ readOnly: true, min: 0, description: 'What came in since somebody has read it.' })
  unread_count: number;

  @TimestampColumn({ nullable: true, readOnly: true })
  last_message_at: string | null;

  @TimestampColumn({ nullable: true, readOnly: true })
  last_inbound_at: string | null;

  /** What the other side calls the conversation; null where there is none. Unique in the channel. */
  @Column({ type: 'text', nullable: true })
  conversation: string | null;

  /** Of the last message that anybody has read. */
  @Column({ type: 'integer' })
  read_position: number;

  /** ISO 8601 */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  auto_replied_at: string | null;
}
