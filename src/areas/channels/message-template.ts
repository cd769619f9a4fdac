import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsString, Matches, MaxLength, MinLength } from 'class-validator';
import { IfGiven, objectOf } from '../../platform/validation/shapes';

/** A message that the other side has approved beforehand, by its name there. */
export class MessageTemplate {
  @ApiProperty({ type: 'string', required: true, minLength: 1, maxLength: 512, example: 'order_ready' })
  @IsString()
  @MinLength(1)
  @MaxLength(512)
  @Matches(/^[a-z0-9_]+$/)
  readonly name: string;

  @ApiProperty({ type: 'string', required: true, description: 'Of the approved text.', example: 'en_US' })
  @IsString()
  @Matches(/^[a-z]{2,3}(_[A-Z]{2})?$/)
  readonly language: string;

  @ApiProperty({
    ...{ type: 'array', items: { type: 'string', minLength: 1, maxLength: 1_024 }, maxItems: 20, required: false },
    description: 'What takes the places `{{1}}`, `{{2}}` … of its text.',
  })
  @IfGiven()
  @IsArray()
  @ArrayMaxSize(20)
  @IsString({ each: true })
  @MinLength(1, { each: true })
  @MaxLength(1_024, { each: true })
  readonly parameters?: readonly string[];
}

export const templateShape = objectOf(MessageTemplate);
