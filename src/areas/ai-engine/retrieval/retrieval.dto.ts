import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsNumber,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { IsNotBlank } from '../../../platform/columns/not-blank';
import {
  EnumMember,
  IdMember,
  IntegerMember,
  ListMember,
  MomentMember,
  NumberMember,
  ObjectMember,
  TextMember,
} from '../../../platform/http/answer-members';
import { IfGiven } from '../../../platform/validation/shapes';

export const SOURCES = ['kb_article', 'ticket', 'snippet'] as const;
export type SourceType = (typeof SOURCES)[number];
/** What `snippet` means to who reads the document. */
export const OF_SOURCES = '`snippet`: a canned response.';
export const AUDIENCES = ['public', 'customers', 'internal'] as const;
export type Visibility = (typeof AUDIENCES)[number];

/** `POST /ai-engine/retrieve` */
export class Retrieve {
  @ApiProperty({ type: 'string', minLength: 1, maxLength: 4_000, example: 'How do I reset my password?' })
  @IsString()
  @MinLength(1)
  @MaxLength(4_000)
  @IsNotBlank()
  query: string;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 20, default: 5, required: false })
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(20)
  limit?: number;

  @ApiProperty({
    type: 'array',
    required: false,
    minItems: 1,
    items: { type: 'string', enum: [...SOURCES] },
    description: `All, unless given. ${OF_SOURCES}`,
  })
  @IfGiven()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn([...SOURCES], { each: true })
  sources?: SourceType[];

  @ApiProperty({
    enum: AUDIENCES,
    required: false,
    default: 'internal',
    description:
      'Who is going to read it: `customers` see published articles for customers and the public, and canned responses that the engine may answer with (`ai_answers`), `public` articles for the public; resolved tickets and other canned responses are for agents (`internal`) alone.',
  })
  @IfGiven()
  @IsIn([...AUDIENCES])
  audience?: Visibility;

  @ApiProperty({ type: 'string', maxLength: 35, required: false, description: 'Articles of this language only.' })
  @IfGiven()
  @IsString()
  @MaxLength(35)
  language?: string;

  @ApiProperty({ type: 'number', minimum: 0, maximum: 1, required: false, default: 0.2 })
  @IfGiven()
  @IsNumber()
  @Min(0)
  @Max(1)
  min_score?: number;
}

class PassageScores {
  @NumberMember({ description: 'Share of what the question says that the passage has with its title, 0 to 1.' })
  words: number;

  @NumberMember({ description: 'Likeness of the question and what the document is about, 0 to 1.' })
  similarity: number;
}

/** A passage as it stands in its source. */
export class Hit {
  @EnumMember(SOURCES, { description: OF_SOURCES })
  source_type: SourceType;

  @IdMember()
  id: number;

  @TextMember()
  title: string;

  @TextMember({ description: 'Path of the source in this API.' })
  url: string;

  @TextMember({ description: 'Word for word.' })
  passage: string;

  @IntegerMember({
    minimum: 0,
    description: 'Where it begins in the body of the article or canned response, or in the answer to the ticket.',
  })
  start: number;

  @IntegerMember({ minimum: 0 })
  end: number;

  @NumberMember({ minimum: 0, maximum: 1 })
  score: number;

  @ObjectMember(() => PassageScores)
  score_components: PassageScores;

  @TextMember({ nullable: true })
  language: string | null;

  @EnumMember(AUDIENCES)
  visibility: Visibility;

  @MomentMember()
  updated_at: string;
}

/** Answer of `POST /ai-engine/retrieve`. */
export class Retrieved {
  @ListMember(() => Hit, { description: 'The best first; none where nothing says enough of what was asked.' })
  hits: Hit[];
}
