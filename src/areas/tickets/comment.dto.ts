import { ApiProperty, OmitType, PartialType } from '@nestjs/swagger';
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

/** Who reads a comment, and whose it is, stays. */
@BodyOf(TicketComment, ['body', 'external_id', 'custom_fields'])
export class UpdateComment extends PartialType(OmitType(CreateComment, ['is_internal', 'author_type']), {
  skipNullProperties: false,
}) {}

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
