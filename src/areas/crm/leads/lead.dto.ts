import { ApiProperty, PartialType } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsNumber, IsString, Max, MaxLength, Min } from 'class-validator';
import { BodyOf, MembersOf } from '../../../platform/columns/bodies';
import { Lead } from './lead.entity';
import { IsNotBlank } from '../../../platform/columns/not-blank';
import { IfGiven } from '../../../platform/validation/shapes';

const writable = [
  'name',
  'email',
  'phone',
  'company_name',
  'company_id',
  'contact_id',
  'job_title',
  'website',
  'source',
  'status',
  'owner_id',
  'score',
  'rating',
  'estimated_value',
  'currency',
  'expected_close_date',
  'industry',
  'employee_count',
  'country',
  'notes',
  'tags',
  'lost_reason',
  'source_ticket_id',
  'last_contacted_at',
  'utm',
  'external_id',
  'custom_fields',
] as const;

@BodyOf(Lead, writable)
export class CreateLead extends MembersOf(Lead, writable, ['name']) {}

@BodyOf(Lead, writable)
export class UpdateLead extends PartialType(CreateLead, { skipNullProperties: false }) {}

/** `POST /crm/leads/{id}/convert`; every member is optional. */
export class ConvertLead {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    required: false,
    description: 'Default: the pipeline of `stage_id`, else the default pipeline.',
  })
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  pipeline_id?: number;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    required: false,
    description: 'Default: the first stage of the pipeline.',
  })
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  stage_id?: number;

  @ApiProperty({
    type: 'string',
    minLength: 1,
    maxLength: 255,
    required: false,
    description: "Of the deal; default: the lead's name.",
  })
  @IfGiven()
  @IsString()
  @IsNotBlank()
  @MaxLength(255)
  title?: string;

  @ApiProperty({
    type: 'number',
    minimum: 0,
    required: false,
    description: "In the lead's currency; default: its estimated value.",
  })
  @IfGiven()
  @IsNumber({ allowNaN: false, allowInfinity: false, maxDecimalPlaces: 4 })
  @Min(0)
  @Max(99_999_999_999)
  value?: number;

  @ApiProperty({
    type: 'boolean',
    required: false,
    default: true,
    description: 'Create the company when none is known by that name or mail domain.',
  })
  @IfGiven()
  @IsBoolean()
  create_company?: boolean;
}
