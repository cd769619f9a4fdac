import { ApiProperty, PartialType } from '@nestjs/swagger';
import { IsString, Matches, MaxLength, MinLength } from 'class-validator';
import { BodyOf, MembersOf } from '../../../platform/columns/bodies';
import { IfPresent } from '../../../platform/validation/shapes';
import { AiSettings } from './ai-settings.entity';

const writable = [
  'enabled',
  'mode',
  'thresholds',
  'tasks',
  'channels',
  'languages',
  'handover',
  'handover_team_id',
  'resolution_window_hours',
  'verify',
  'sources',
  'categories',
  'tone',
  'signature',
  'minutes_per_answer',
  'provider',
  'openai_compatible',
  'fallback_to_local',
  'max_tokens_month',
  'redact',
  'external_id',
  'custom_fields',
] as const;

@BodyOf(AiSettings, writable)
export class UpdateAiSettings extends PartialType(MembersOf(AiSettings, writable), { skipNullProperties: false }) {
  @ApiProperty({
    type: 'string',
    minLength: 1,
    maxLength: 500,
    nullable: true,
    required: false,
    writeOnly: true,
    description: 'Of the provider; sent as a bearer token, kept sealed, shown by nothing. null takes it away.',
  })
  @IfPresent()
  @IsString()
  @MinLength(1)
  @MaxLength(500)
  @Matches(/^[\x21-\x7e]*$/)
  api_key?: string | null;
}
