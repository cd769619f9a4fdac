import { ApiProperty } from '@nestjs/swagger';
import { IsIn, ValidateIf } from 'class-validator';
import { BodyOf, MembersOf } from '../../platform/columns/bodies';
import { TicketComment } from './comment.entity';

const writable = ['body', 'is_internal', 'external_id', 'custom_fields'] as const;

@BodyOf(TicketComment, [...writable, 'author_type'])
export class CreateComment extends MembersOf(TicketComment, writable, ['body']) {
  @ApiProperty({ enum: ['agent', 'requester'], required: false, default: 'agent' })
  @ValidateIf((_: object, value: unknown) => value !== undefined)
  @IsIn(['agent', 'requester'])
  author_type?: 'agent' | 'requester';
}

@BodyOf(TicketComment, ['body'])
export class UpdateComment extends MembersOf(TicketComment, ['body'], ['body']) {}
