import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsString, MaxLength, MinLength } from 'class-validator';
import { BodyOf, MembersOf } from '../../platform/columns/bodies';
import { IfGiven } from '../../platform/validation/shapes';
import { AttachmentIds } from '../attachments/holders/attachment-ids';
import { TicketComment } from './comment.entity';

const writable = ['body', 'is_internal', 'external_id', 'custom_fields'] as const;

@BodyOf(TicketComment, [...writable, 'author_type'])
export class CreateComment extends MembersOf(TicketComment, writable, ['body']) {
  @ApiProperty({ enum: ['agent', 'requester'], required: false, default: 'agent' })
  @IfGiven()
  @IsIn(['agent', 'requester'])
  author_type?: 'agent' | 'requester';

  @AttachmentIds()
  attachment_ids?: readonly number[];
}

@BodyOf(TicketComment, ['body'])
export class UpdateComment extends MembersOf(TicketComment, ['body'], ['body']) {
  @AttachmentIds()
  attachment_ids?: readonly number[];
}

/** `POST /tickets/{id}/comments/{cid}/redact` */
export class RedactComment {
  @ApiProperty({
    type: 'string',
    required: true,
    minLength: 1,
    maxLength: 1_000,
    description: 'What goes, letter by letter, wherever the comment says it.',
    example: 'The vendor',
  })
  @IsString()
  @MinLength(1)
  @MaxLength(1_000)
  text: string;
}
