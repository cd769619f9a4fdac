import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
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
