import { ApiProperty, PartialType } from '@nestjs/swagger';
import { IsIn, IsString, MaxLength } from 'class-validator';
import { BodyOf, MembersOf } from '../../platform/columns/bodies';
import { IsNotBlank } from '../../platform/columns/not-blank';
import { IntegerMember } from '../../platform/http/answer-members';
import { IfGiven } from '../../platform/validation/shapes';
import { TICKET_PRIORITIES, type TicketPriority } from '../tickets/ticket-values';
import { ChannelThread } from './thread.entity';

const writable = [
  'contact_id',
  'ticket_id',
  'assigned_to',
  'subject',
  'status',
  'external_id',
  'custom_fields',
] as const;

@BodyOf(ChannelThread, writable)
export class UpdateThread extends PartialType(MembersOf(ChannelThread, writable), { skipNullProperties: false }) {}

/** `POST /teams/threads/{id}/convert-to-ticket`, and that of a message. */
export class ConvertToTicket {
  @ApiProperty({ type: 'string', maxLength: 255, required: false, description: 'Unless given, from what was said.' })
  @IfGiven()
  @IsString()
  @IsNotBlank()
  @MaxLength(255)
  subject?: string;

  @ApiProperty({ enum: TICKET_PRIORITIES, required: false, description: 'Unless given, that of the channel.' })
  @IfGiven()
  @IsIn([...TICKET_PRIORITIES])
  priority?: TicketPriority;
}

/** What came of saying that one writes. */
export class TypingTold {
  @IntegerMember({
    minimum: 1,
    description: 'Whoever listens shows it for so many seconds, unless a message comes.',
    example: 6,
  })
  seconds: number;
}
