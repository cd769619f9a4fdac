import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsEmail, IsIn, IsString, Matches, MaxLength, MinLength } from 'class-validator';
import { flatObjectSchema, IsFlatObject, isIsoTimestamp } from '../../../platform/columns/column-validators';
import { IsNotBlank } from '../../../platform/columns/not-blank';
import { AnyMember, FlagMember } from '../../../platform/http/answer-members';
import { IfGiven, IfPresent, objectOf, Shaped } from '../../../platform/validation/shapes';
import { MAX_MESSAGE, MAX_PEER, MESSAGE_TYPES, type MessageType } from '../channel-values';

const MAX_NAME = 255;

/** Somebody outside: by one of `email`, `phone` and `handle`. */
export class ArrivedPeer {
  @ApiProperty({ type: 'string', format: 'email', required: false, maxLength: 254, example: 'ada@example.com' })
  @IfGiven()
  @IsString()
  @MaxLength(254)
  @IsEmail()
  email?: string;

  @ApiProperty({ type: 'string', required: false, pattern: '^\\+[1-9]\\d{4,14}$', description: 'E.164.' })
  @IfGiven()
  @IsString()
  @Matches(/^\+[1-9]\d{4,14}$/)
  phone?: string;

  @ApiProperty({ type: 'string', required: false, minLength: 1, maxLength: MAX_PEER })
  @IfGiven()
  @IsString()
  @IsNotBlank()
  @MaxLength(MAX_PEER)
  handle?: string;

  @ApiProperty({ type: 'string', required: false, nullable: true, maxLength: MAX_NAME })
  @IfPresent()
  @IsString()
  @MaxLength(MAX_NAME)
  name?: string | null;
}

const ARRIVALS = ['message', 'status', 'edit', 'deletion', 'reaction'] as const;
const TOLD_STATUSES = ['sent', 'delivered', 'read', 'failed'] as const;

/** What another program tells a channel: a message, or what has become of one. */
export class InboundMessage {
  @ApiProperty({ enum: ARRIVALS, required: false, default: 'message' })
  @IfGiven()
  @IsIn([...ARRIVALS])
  type?: (typeof ARRIVALS)[number];

  @ApiProperty({
    type: 'string',
    minLength: 1,
    maxLength: 255,
    example: 'm-1',
    description: 'What the other side calls the message: told again, it changes nothing.',
  })
  @IsString()
  @IsNotBlank()
  @MinLength(1)
  @MaxLength(255)
  external_message_id: string;

  @Shaped(objectOf(ArrivedPeer), {
    optional: true,
    description: 'Of a message and a reaction: who it is from.',
    example: { email: 'ada@example.com', name: 'Ada' },
  })
  from?: ArrivedPeer;

  @ApiProperty({
    type: 'string',
    minLength: 1,
    maxLength: MAX_PEER,
    required: false,
    description: 'What the other side calls the conversation; unless given, one for each sender.',
  })
  @IfGiven()
  @IsString()
  @IsNotBlank()
  @MaxLength(MAX_PEER)
  conversation?: string;

  @ApiProperty({ type: 'string', maxLength: 255, required: false, description: 'Of the ticket that is made.' })
  @IfGiven()
  @IsString()
  @IsNotBlank()
  @MaxLength(255)
  subject?: string;

  @ApiProperty({ type: 'string', maxLength: MAX_MESSAGE, required: false, example: 'The printer is jammed.' })
  @IfGiven()
  @IsString()
  @IsNotBlank()
  @MaxLength(MAX_MESSAGE)
  body?: string;

  @ApiProperty({ enum: MESSAGE_TYPES, required: false, default: 'text' })
  @IfGiven()
  @IsIn([...MESSAGE_TYPES])
  message_type?: MessageType;

  @ApiProperty({
    ...({ ...flatObjectSchema, selfRequired: false } as const),
    description: 'Of a message: kept with it. Flat object, at most 50 keys.',
  })
  @IfGiven()
  @IsFlatObject()
  metadata?: Record<string, unknown>;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    required: false,
    description: 'When it was said, or came about.',
  })
  @IfGiven()
  @IsString()
  @isIsoTimestamp()
  sent_at?: string;

  @ApiProperty({ type: 'string', maxLength: 255, required: false, description: 'The message that it answers.' })
  @IfGiven()
  @IsString()
  @IsNotBlank()
  @MaxLength(255)
  in_reply_to?: string;

  @ApiProperty({ enum: TOLD_STATUSES, required: false, description: 'Of a `status`.' })
  @IfGiven()
  @IsIn([...TOLD_STATUSES])
  status?: (typeof TOLD_STATUSES)[number];

  @ApiProperty({ type: 'string', maxLength: 1_000, required: false, description: 'Why it failed.' })
  @IfGiven()
  @IsString()
  @MaxLength(1_000)
  error?: string;

  @ApiProperty({ type: 'string', minLength: 1, maxLength: 64, required: false, description: 'Of a `reaction`.' })
  @IfGiven()
  @IsString()
  @IsNotBlank()
  @MaxLength(64)
  emoji?: string;

  @ApiProperty({ type: 'boolean', required: false, description: 'The reaction was taken back.' })
  @IfGiven()
  @IsBoolean()
  removed?: boolean;
}

/** Why something was passed over: by somebody blocked, about a message that nobody knows, a reaction beyond what a message takes. */
const IGNORED = ['blocked', 'unknown_message', 'too_many'] as const;

const record = { type: 'object', additionalProperties: true };

/** What became of it. */
export class InboundAnswer {
  @AnyMember(record, {
    nullable: true,
    description: 'As `GET /teams/messages/{id}` shows it; null where it was passed over.',
  })
  message: unknown;

  @AnyMember(record, { nullable: true, description: 'Its ticket, as `GET /tickets/{id}` shows it.' })
  ticket: unknown;

  @FlagMember({ description: 'It was there already.' })
  duplicate: boolean;

  @AnyMember({ type: 'string', enum: [...IGNORED] }, { nullable: true, description: 'Why it was passed over.' })
  ignored: (typeof IGNORED)[number] | null;
}
