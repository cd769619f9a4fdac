import { OmitType, PartialType } from '@nestjs/swagger';
import { BodyOf, MembersOf } from '../../platform/columns/bodies';
import { TextMember } from '../../platform/http/answer-members';
import { Channel } from './channel.entity';

const writable = [
  'type',
  'name',
  'topic',
  'direction',
  'status',
  'address',
  'team_id',
  'config',
  'is_private',
  'member_ids',
  'auto_create_ticket',
  'default_priority',
  'default_category_id',
  'schedule_id',
  'auto_reply',
  'csat_enabled',
  'external_id',
  'custom_fields',
] as const;

@BodyOf(Channel, writable)
export class CreateChannel extends MembersOf(Channel, writable, ['type', 'name']) {}

@BodyOf(Channel, writable.filter((name) => name !== 'type'))
export class UpdateChannel extends PartialType(OmitType(CreateChannel, ['type']), { skipNullProperties: false }) {}

/** Answer of `GET /teams/channels/{id}/inbound-address`. */
export class InboundAddress {
  @TextMember({ format: 'uri', description: 'What the other side posts to. It has no token; each request is signed.' })
  url: string;
}
