import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsEmail, IsIn, IsInt, IsString, Matches, Max, MaxLength, Min, MinLength } from 'class-validator';
import { IsNotBlank } from '../../../platform/columns/not-blank';
import { IfGiven, listOf, objectOf, Shaped } from '../../../platform/validation/shapes';
import { TICKET_CHANNELS } from '../../tickets/ticket-values';
import {
  HANDOVER_REASONS,
  type HandoverReason,
  MAX_MESSAGE,
  MESSAGE_ROLES,
  type MessageRole,
} from './conversation-values';

const LANGUAGE = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/;
const MAX_HISTORY = 20;

/** What was said before, elsewhere. */
export class EarlierMessage {
  @ApiProperty({ enum: MESSAGE_ROLES, required: true })
  @IsIn([...MESSAGE_ROLES])
  role: MessageRole;

  @ApiProperty({ type: 'string', minLength: 1, maxLength: MAX_MESSAGE, required: true })
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_MESSAGE)
  body: string;
}

/** `POST /ai-engine/conversations/{id}/messages` */
export class SayMessage {
  @ApiProperty({
    type: 'string',
    minLength: 1,
    maxLength: MAX_MESSAGE,
    required: true,
    description: 'What the customer says. It is text: nothing in it is carried out.',
    example: 'How do I reset my password?',
  })
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_MESSAGE)
  @IsNotBlank()
  message: string;
}

/** `POST /ai-engine/conversations` */
export class StartConversation extends SayMessage {
  @ApiProperty({
    type: 'string',
    format: 'email',
    maxLength: 254,
    required: false,
    description: 'Of the customer: a contact is made for it when there is none.',
  })
  @IfGiven()
  @IsString()
  @MaxLength(254)
  @IsEmail()
  contact_email?: string;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    minimum: 1,
    required: false,
    description: 'What it is about; it is seen by those who see the ticket.',
  })
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  ticket_id?: number;

  @ApiProperty({ enum: TICKET_CHANNELS, required: false, default: 'chat' })
  @IfGiven()
  @IsIn([...TICKET_CHANNELS])
  channel?: (typeof TICKET_CHANNELS)[number];

  @ApiProperty({
    type: 'string',
    maxLength: 35,
    pattern: LANGUAGE.source,
    required: false,
    description: 'BCP 47; found out by what is said unless given.',
  })
  @IfGiven()
  @IsString()
  @MaxLength(35)
  @Matches(LANGUAGE)
  language?: string;

  @Shaped(listOf(objectOf(EarlierMessage), { max: MAX_HISTORY, of: 'messages' }), {
    optional: true,
    description:
      'What was said before, oldest first; it is kept, and nothing is answered to it. A message of few words goes with what the customer said last.',
  })
  history?: EarlierMessage[];
}

/** `POST /ai-engine/conversations/{id}/handover` */
export class HandOver {
  @ApiProperty({ enum: HANDOVER_REASONS, required: false, default: 'requested' })
  @IfGiven()
  @IsIn([...HANDOVER_REASONS])
  reason?: HandoverReason;

  @ApiProperty({
    type: 'string',
    maxLength: 2_000,
    required: false,
    description: 'What whoever takes over should know; a note on the ticket.',
  })
  @IfGiven()
  @IsString()
  @MaxLength(2_000)
  context?: string;
}

/** `POST /ai-engine/conversations/{id}/feedback`: at least one of them. */
export class ConversationFeedback {
  @ApiProperty({
    type: 'boolean',
    required: false,
    description: 'Whether the last answer helped: `true` resolves the conversation, `false` takes that back.',
    example: true,
  })
  @IfGiven()
  @IsBoolean()
  helpful?: boolean;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 5, required: false })
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(5)
  score?: number;

  @ApiProperty({ type: 'string', maxLength: 4_000, required: false })
  @IfGiven()
  @IsString()
  @MaxLength(4_000)
  comment?: string;
}
