import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { IsNotBlank } from '../../../platform/columns/not-blank';
import { EnumMember, IdMember, ListMember, NumberMember, TextMember } from '../../../platform/http/answer-members';
import { IfGiven } from '../../../platform/validation/shapes';
import type { Telling } from '../model/explain';
import { TASKS, type Task } from '../tasks';
import { ABSTAIN_REASONS, type Alternative, BANDS, PREDICTION_STATUSES } from './prediction.entity';

const REVIEWS = ['accepted', 'corrected', 'rejected'] as const;
const MAX_INPUT = 20_000;

/** `POST /ai-engine/predict`: of a ticket, whose predictions are kept, or of a text. */
export class Predict {
  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1, required: false, example: 1 })
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  ticket_id?: number;

  @ApiProperty({
    type: 'string',
    minLength: 1,
    maxLength: MAX_INPUT,
    required: false,
    description: 'In place of a ticket; nothing is kept.',
  })
  @IfGiven()
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_INPUT)
  @IsNotBlank()
  text?: string;

  @ApiProperty({
    type: 'array',
    required: false,
    minItems: 1,
    items: { type: 'string', enum: [...TASKS] },
    description: 'Everything that the settings have, unless given.',
    example: ['category', 'language', 'sentiment'],
  })
  @IfGiven()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn([...TASKS], { each: true })
  tasks?: Task[];
}

/** `POST /ai-engine/predictions` */
export class CreatePrediction {
  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1, required: true, example: 1 })
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  ticket_id: number;

  @ApiProperty({ enum: TASKS, required: true, example: 'language' })
  @IsIn([...TASKS])
  task: Task;
}

/** `POST /ai-engine/predictions/{id}/review` */
export class ReviewPrediction {
  @ApiProperty({ enum: REVIEWS, required: true, example: 'accepted' })
  @IsIn([...REVIEWS])
  status: (typeof REVIEWS)[number];

  @ApiProperty({
    type: 'string',
    maxLength: 255,
    required: false,
    description:
      'What it should have been, needed by `corrected`: a value that the task has. Ids (also of a `duplicate`, a ticket) and minutes (`resolution_time`) as text, a language as a tag of BCP 47.',
  })
  @IfGiven()
  @IsString()
  @IsNotBlank()
  @MaxLength(255)
  value?: string;
}

class PredictedAlternative implements Alternative {
  @TextMember()
  value: string;

  @TextMember()
  label: string;

  @NumberMember({ minimum: 0, maximum: 1 })
  confidence: number;
}

class TellingWord implements Telling {
  @TextMember()
  token: string;

  @NumberMember()
  weight: number;
}

/** One prediction in an answer. */
export class PredictedTask {
  @IdMember({ nullable: true, description: 'Of the record that is kept; null of a text.' })
  id: number | null;

  @EnumMember(TASKS)
  task: Task;

  @TextMember({ nullable: true })
  value: string | null;

  @TextMember({ nullable: true })
  label: string | null;

  @NumberMember({ nullable: true, minimum: 0, maximum: 1 })
  confidence: number | null;

  @NumberMember({
    nullable: true,
    minimum: 0,
    maximum: 1,
    description: 'What the method said before reviews and outcomes moved it.',
  })
  score: number | null;

  @EnumMember([...Object.keys(BANDS), 'low'], { nullable: true })
  confidence_band: string | null;

  @ListMember(() => PredictedAlternative)
  alternatives: Alternative[];

  @ListMember(() => TellingWord)
  features: Telling[];

  @TextMember()
  method: string;

  @IdMember({ nullable: true })
  model_id: number | null;

  @EnumMember(PREDICTION_STATUSES)
  status: string;

  @EnumMember(ABSTAIN_REASONS, { nullable: true })
  abstain_reason: string | null;
}

/** Answer of `POST /ai-engine/predict`. */
export class Predicted {
  @IdMember({ nullable: true })
  ticket_id: number | null;

  @ListMember(() => PredictedTask, { description: 'In the order of the tasks.' })
  predictions: PredictedTask[];
}
