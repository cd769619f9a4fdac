import { ApiProperty, OmitType, PartialType } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import { BodyOf, MembersOf } from '../../platform/columns/bodies';
import { IsNotBlank } from '../../platform/columns/not-blank';
import { IfGiven, IfPresent, objectOf, Shaped } from '../../platform/validation/shapes';
import { AttachmentIds } from '../attachments/holders/attachment-ids';
import { MAX_PEER } from './channel-values';
import { ThreadMessage } from './message.entity';

/** Who a message begins a conversation with, or goes on with: a contact, an address, or whoever a ticket is of. */
export class MessageRecipient {
  @ApiProperty({ type: 'integer', format: 'int64', required: false, minimum: 1 })
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  contact_id?: number;

  @ApiProperty({ type: 'string', required: false, maxLength: MAX_PEER, description: 'A number, a handle, an address.' })
  @IfGiven()
  @IsString()
  @IsNotBlank()
  @MaxLength(MAX_PEER)
  address?: string;

  @ApiProperty({
    ...{ type: 'integer', format: 'int64', required: false, minimum: 1 },
    description: 'The conversation that this ticket has in the channel, in place of an address.',
  })
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  ticket_id?: number;

  @ApiProperty({ type: 'string', required: false, nullable: true, maxLength: MAX_PEER })
  @IfPresent()
  @IsString()
  @MaxLength(MAX_PEER)
  name?: string | null;
}

const writable = [
  ...(['channel_id', 'thread_id', 'reply_to_id', 'body', 'template', 'metadata'] as const),
  ...(['external_id', 'custom_fields'] as const),
] as const;

@BodyOf(ThreadMessage, writable)
export class CreateMessage extends MembersOf(ThreadMessage, writable, ['channel_id', 'body']) {
  @Shaped(objectOf(MessageRecipient), {
    optional: true,
    description: 'Begins a conversation with somebody outside, or goes on with the one that there is.',
  })
  to?: MessageRecipient;

  @AttachmentIds()
  attachment_ids?: readonly number[];
}

/** The same below its channel. */
@BodyOf(ThreadMessage, writable)
export class CreateChannelMessage extends OmitType(CreateMessage, ['channel_id']) {}

const changeable = ['body', 'external_id', 'custom_fields'] as const;

@BodyOf(ThreadMessage, changeable)
export class UpdateMessage extends PartialType(MembersOf(ThreadMessage, changeable, ['body']), {
  skipNullProperties: false,
}) {}

/** `POST /teams/messages/{id}/reactions` */
export class React {
  @ApiProperty({ type: 'string', minLength: 1, maxLength: 64, required: true, example: '👍' })
  @IsString()
  @IsNotBlank()
  @MaxLength(64)
  emoji: string;

  @ApiProperty({ type: 'boolean', required: false, default: false, description: 'Takes it back.' })
  @IfGiven()
  @IsBoolean()
  removed?: boolean;
}
