import { ApiProperty, PartialType } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { BodyOf, MembersOf } from '../../platform/columns/bodies';
import { Contact } from './contact.entity';

const writable = [
  'email',
  'name',
  'phone',
  'mobile',
  'job_title',
  'company_id',
  'language',
  'timezone',
  'is_vip',
  'status',
  'notes',
  'tags',
  'external_id',
  'custom_fields',
] as const;

@BodyOf(Contact, writable)
export class CreateContact extends MembersOf(Contact, writable, ['email']) {}

const changeable = [...writable, 'mail_status'] as const;

@BodyOf(Contact, changeable)
export class UpdateContact extends PartialType(MembersOf(Contact, changeable, ['email']), {
  skipNullProperties: false,
}) {}

/** `POST /contacts/{id}/merge` */
export class MergeContact {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    required: true,
    minimum: 1,
    example: 2,
    description: 'The contact that stays.',
  })
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  into_id: number;
}
