import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import {
  EnumMember,
  FlagMember,
  IdMember,
  IntegerMember,
  ListMember,
  MomentMember,
  NumberMember,
  TextMember,
} from '../../../platform/http/answer-members';
import { FAILURES, type Failure } from '../provider/provided-answer';
import { PROVIDERS } from '../settings/provider.values';
import { AUDIENCES, OF_SOURCES, SOURCES, type SourceType, type Visibility } from '../retrieval/retrieval.dto';

/** `POST /ai-engine/suggest-reply` and `POST /ai-engine/summarize` */
export class AboutTicket {
  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1, required: true, example: 1 })
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  ticket_id: number;
}

/** What an answer is taken of. */
export class CitedSource {
  @EnumMember(SOURCES, { description: OF_SOURCES })
  type: SourceType;

  @IdMember()
  id: number;

  @TextMember()
  title: string;

  @TextMember()
  url: string;

  @TextMember({ description: 'Word for word.' })
  quote: string;

  @IntegerMember({
    minimum: 0,
    description: 'Where it begins in the body of the article or canned response, or in the answer to the ticket.',
  })
  start: number;

  @IntegerMember({ minimum: 0 })
  end: number;

  @NumberMember({ minimum: 0, maximum: 1 })
  score: number;

  @EnumMember(AUDIENCES, { description: '`internal`: look at it before a customer reads it.' })
  visibility: Visibility;
}

/** Answer of `POST /ai-engine/suggest-reply`. */
export class SuggestedReply {
  @IdMember()
  ticket_id: number;

  @TextMember({
    nullable: true,
    description: 'Quotes of the sources and nothing else, unless it is `generated`; null = no source says enough.',
  })
  answer: string | null;

  @FlagMember({ description: 'Whether it is the wording of a model; otherwise it is quoted.' })
  generated: boolean;

  @NumberMember({ minimum: 0, maximum: 1, description: 'Share of what is asked that the best source says.' })
  score: number;

  @ListMember(() => CitedSource)
  sources: CitedSource[];

  @EnumMember(['no_sources', 'provider_error'], { nullable: true })
  abstain_reason: 'no_sources' | 'provider_error' | null;

  @EnumMember(PROVIDERS, { description: 'Who found it, or wrote it.' })
  provider: (typeof PROVIDERS)[number];

  @TextMember({ nullable: true, description: 'The model that wrote it.' })
  model: string | null;

  @EnumMember(FAILURES, { nullable: true, description: 'Why the provider was of no use, where one was asked.' })
  fallback_reason: Failure | null;
}

class SummarySentence {
  @TextMember({ description: 'Word for word.' })
  text: string;

  @IdMember({ nullable: true, description: 'The comment that says so; null = the description of the ticket.' })
  comment_id: number | null;

  @IntegerMember({ minimum: 0 })
  start: number;

  @IntegerMember({ minimum: 0 })
  end: number;
}

class SummaryMoment {
  @EnumMember(['created', 'first_response', 'escalated', 'resolved', 'closed'])
  what: string;

  @MomentMember()
  at: string;
}

/** Answer of `POST /ai-engine/summarize`. */
export class TicketSummary {
  @IdMember()
  ticket_id: number;

  @TextMember({ description: '`textrank`: the sentences that the others are most like.' })
  method: string;

  @FlagMember()
  generated: boolean;

  @ListMember(() => SummarySentence, { description: 'At most three, in the order in which they were written.' })
  sentences: SummarySentence[];

  @ListMember(() => SummaryMoment, { description: 'What happened, in order.' })
  timeline: SummaryMoment[];
}
