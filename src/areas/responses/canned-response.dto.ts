import { ApiProperty, PartialType } from '@nestjs/swagger';
import { IsBoolean, IsInt, Max, Min } from 'class-validator';
import { BodyOf, MembersOf } from '../../platform/columns/bodies';
import { IdMember, TextMember } from '../../platform/http/answer-members';
import { IfGiven } from '../../platform/validation/shapes';
import { sharingFields } from '../users/shared-record';
import { CannedResponse } from './canned-response.entity';

const writable = [
  'title',
  'body',
  'shortcut',
  'folder',
  'tags',
  'ai_answers',
  ...sharingFields,
  'external_id',
  'custom_fields',
] as const;

@BodyOf(CannedResponse, writable)
export class CreateCannedResponse extends MembersOf(CannedResponse, writable, ['title', 'body']) {}

@BodyOf(CannedResponse, writable)
export class UpdateCannedResponse extends PartialType(CreateCannedResponse, { skipNullProperties: false }) {}

/** `POST /canned-responses/{id}/render` */
export class RenderCannedResponse {
  @ApiProperty({ type: 'integer', format: 'int64', required: true, example: 1 })
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  ticket_id: number;

  @ApiProperty({
    type: 'boolean',
    required: false,
    default: false,
    description: 'Only to look at: it counts as no use.',
  })
  @IfGiven()
  @IsBoolean()
  preview?: boolean;
}

/** A canned response for one ticket. */
export class RenderedResponse {
  @IdMember()
  id: number;

  @IdMember()
  ticket_id: number;

  @TextMember({
    description: 'Markdown, ready to be the body of a comment: what the variables stand for is shown as it is.',
    example: 'Hello Ada,\n\nwe look into **Printer on floor 3 is jammed** today.\n\nInes Ortega',
  })
  body: string;

  @TextMember({ description: 'The same with the values as they are stored, where no Markdown is read.' })
  text: string;
}
