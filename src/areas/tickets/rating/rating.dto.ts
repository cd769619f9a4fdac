import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import { IfGiven, IfPresent } from '../../../platform/validation/shapes';
import { MAX_COMMENT, MAX_SCORE, MIN_SCORE } from './rating.entity';

const scores = Array.from({ length: MAX_SCORE }, (_, index) => String(index + MIN_SCORE));

/** `POST /tickets/{id}/rate` */
export class RateTicket {
  @ApiProperty({
    type: 'integer',
    minimum: MIN_SCORE,
    maximum: MAX_SCORE,
    required: true,
    example: 5,
    description: '1 = very bad, 5 = very good.',
  })
  @IsInt()
  @Min(MIN_SCORE)
  @Max(MAX_SCORE)
  score: number;

  @ApiProperty({
    type: 'string',
    maxLength: MAX_COMMENT,
    nullable: true,
    required: false,
    example: 'Quick and friendly.',
  })
  @IfPresent()
  @IsString()
  @MaxLength(MAX_COMMENT)
  comment?: string | null;
}

/** What the form of the public page sends: texts. */
export class RatingForm {
  @IsIn(scores)
  score: string;

  @IfGiven()
  @IsString()
  @MaxLength(MAX_COMMENT)
  comment?: string;
}
