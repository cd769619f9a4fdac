import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsNumber, IsString, Max, MaxLength, Min } from 'class-validator';
import { IfGiven, IfPresent } from '../../../platform/validation/shapes';
import type { Redaction } from '../provider/redaction';
import { Flag, Whole } from './ai-settings.values';

export const PROVIDERS = ['local', 'openai_compatible'] as const;

const MOST_PRICE = 1_000_000;

/** A price that may be left out, or unknown. */
const Price = (description: string): PropertyDecorator => {
  const rules = [
    ApiProperty({ type: 'number', minimum: 0, maximum: MOST_PRICE, nullable: true, required: false, description }),
    IfPresent(),
    IsNumber(),
    Min(0),
    Max(MOST_PRICE),
  ];
  return (prototype, name) => {
    for (const rule of rules) rule(prototype, name);
  };
};

/** A service that speaks OpenAI's protocol (`POST {base_url}/chat/completions`). */
export class AiOpenAi {
  @ApiProperty({ type: 'string', maxLength: 2_000, required: false, example: 'https://models.example/v1' })
  @IfGiven()
  @IsString()
  @MaxLength(2_000)
  base_url?: string;

  @ApiProperty({ type: 'string', maxLength: 200, required: false, example: 'small-instruct' })
  @IfGiven()
  @IsString()
  @MaxLength(200)
  model?: string;

  @Whole(500, 15_000, 'Milliseconds for a question and its second attempt together. 15000 unless set.')
  timeout_ms?: number;

  @Whole(16, 4_000, 'Most tokens of an answer. 600 unless set.')
  max_output_tokens?: number;

  @ApiProperty({ type: 'number', minimum: 0, maximum: 2, required: false, description: '0.2 unless set.' })
  @IfGiven()
  @IsNumber()
  @Min(0)
  @Max(2)
  temperature?: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 1_000_000_000,
    nullable: true,
    required: false,
    description:
      'Tokens of a day (UTC), as the provider counts them, after which answers are found here; null = no limit.',
  })
  @IfPresent()
  @IsInt()
  @Min(0)
  @Max(1_000_000_000)
  daily_token_budget?: number | null;

  @Price('What a million tokens cost that are sent, in the currency of your bill; null = it is not counted.')
  input_price?: number | null;

  @Price('The same of those that are answered.')
  output_price?: number | null;
}

/** What is taken out before anything is sent. */
export class AiRedaction implements Partial<Redaction> {
  @Flag('Addresses. `true` unless set.')
  emails?: boolean;

  @Flag('Telephone numbers. `true` unless set.')
  phones?: boolean;

  @Flag('Numbers of payment cards. `true` unless set.')
  cards?: boolean;
}

/** The same as plain data. */
export type OpenAi = Pick<AiOpenAi, keyof AiOpenAi>;

export const DEFAULT_OPENAI: Required<OpenAi> = {
  base_url: '',
  model: '',
  timeout_ms: 15_000,
  max_output_tokens: 600,
  temperature: 0.2,
  daily_token_budget: null,
  input_price: null,
  output_price: null,
};

export const DEFAULT_REDACTION: Redaction = { emails: true, phones: true, cards: true };
