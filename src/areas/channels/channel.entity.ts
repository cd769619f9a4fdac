import { Column, Entity } from 'typeorm';
import { timestampText } from '../../platform/columns/column-spec';
import {
  BooleanColumn,
  ComputedColumn,
  EnumColumn,
  JsonColumn,
  ReferenceColumn,
  ReferencesColumn,
  StringColumn,
} from '../../platform/columns/columns';
import { type Failure, failureSchema } from '../../platform/columns/failure';
import { counterTotal } from '../../platform/counters/counter-sql';
import { ResourceEntity } from '../../platform/resource/resource-entity';
import type { Computed, OneOf } from '../../platform/resource/rows';
import { type AutoReply, autoReplyShape } from './auto-reply';
import { CHANNEL_DIRECTIONS, CHANNEL_STATUSES, CHANNEL_TYPES, MAX_PEER } from './channel-values';
import { TICKET_PRIORITIES } from '../tickets/ticket-values';

const shownSettings = { type: 'object', additionalProperties: true } as const;

/** A way in which messages come and go: product reference 8.1. */
@Entity('channels')
export class Channel extends ResourceEntity {
  @EnumColumn(CHANNEL_TYPES, { required: true, example: 'internal', description: 'Never changes.' })
  type: OneOf<typeof CHANNEL_TYPES>;

  @StringColumn({ required: true, max: 120, example: 'Front desk' })
  name: string;

  @StringColumn({ max: 500, nullable: true, description: 'What it is for.' })
  topic: string | null;

  @EnumColumn(CHANNEL_DIRECTIONS, { default: 'both' })
  direction: OneOf<typeof CHANNEL_DIRECTIONS>;

  @EnumColumn(CHANNEL_STATUSES, {
    default: 'active',
    description:
      'Write `active` or `paused`: nothing is taken, and what is to be sent waits. `error`: the other side refused it for good; `active` lets it try again. `archived`: deleted.',
  })
  status: OneOf<typeof CHANNEL_STATUSES>;

  @StringColumn({
    max: MAX_PEER,
    nullable: true,
    description: 'What people write to: a number, a handle, an address.',
    example: '+1 202 555 0142',
  })
  address: string | null;

  @ReferenceColumn('teams', { nullable: true, description: 'Its tickets are given to this team.' })
  team_id: number | null;

  @JsonColumn({
    default: {},
    description:
      'Settings by the type. A change names only what changes; null takes a setting away. Secrets read `********`, which sent back leaves them as they are; `<name>_set` tells whether there is one.',
    api: { ...shownSettings, example: {} },
    shown: { ...shownSettings, example: { secret: '********', secret_set: true } },
  })
  config: Record<string, unknown>;

  @BooleanColumn({ default: false, description: 'Only its members see it, besides owners and admins.' })
  is_private: boolean;

  @ReferencesColumn('users', { max: 1_000, description: 'Who sees it when it is private.' })
  member_ids: number[];

  @BooleanColumn({
    default: true,
    description: 'What comes in makes a ticket, or a comment on that of its conversation unless that is closed.',
  })
  auto_create_ticket: boolean;

  @EnumColumn(TICKET_PRIORITIES, { nullable: true, description: 'Of those tickets.' })
  default_priority: OneOf<typeof TICKET_PRIORITIES> | null;

  @ReferenceColumn('categories', { nullable: true, description: 'Of those tickets.' })
  default_category_id: number | null;

  @ReferenceColumn('schedules', { nullable: true, description: 'When somebody is there; without one always.' })
  schedule_id: number | null;

  @JsonColumn({
    shape: autoReplyShape,
    nullable: true,
    description: 'What is answered at once to who writes, at most every 12 hours in a conversation.',
    example: { enabled: true, message: 'We are on it.', outside_hours_message: 'We are back at nine.' },
  })
  auto_reply: AutoReply | null;

  @BooleanColumn({
    default: false,
    description:
      'Whoever is at the other end is asked there for a rating when the ticket of the conversation is resolved, in place of the mail of `csat_request`. Not of `internal` and `email`.',
  })
  csat_enabled: boolean;

  @JsonColumn({
    nullable: true,
    readOnly: true,
    description: 'Why `status` is `error`.',
    api: failureSchema,
  })
  last_error: Failure | null;

  @ComputedColumn(
    { type: 'string', format: 'date-time', description: 'When somebody last wrote in it.' },
    (channel) =>
      `(SELECT ${timestampText('max(m.created_at)')} FROM channel_messages m WHERE m.workspace_id = ${channel}.workspace_id AND m.channel_id = ${channel}.id)`,
    true,
  )
  last_message_at: Computed<string | null>;

  @ComputedColumn(
    { type: 'integer', minimum: 0, description: 'In all of its conversations; also those that were deleted.' },
    (channel) => counterTotal(channel, 'channel_messages', [`= ${channel}.id::text`, null, null]),
  )
  message_count: Computed<number>;

  @ComputedColumn(
    {
      type: 'integer',
      minimum: 0,
      description: 'What came in since somebody has read the conversation, of all of them.',
    },
    (channel) =>
      `(SELECT coalesce(sum(h.unread_count), 0) FROM channel_threads h WHERE h.workspace_id = ${channel}.workspace_id AND h.channel_id = ${channel}.id AND h.unread_count > 0)`,
  )
  unread_count: Computed<number>;

  /** All secrets of the settings in one sealed JSON text. */
  @Column({ type: 'text', nullable: true })
  sealed: string | null;
}
