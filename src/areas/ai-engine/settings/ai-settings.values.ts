import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { IfGiven, IfPresent } from '../../../platform/validation/shapes';
import { TICKET_PRIORITIES, type TicketPriority } from '../../tickets/ticket-values';
import type { Task } from '../tasks';

const Share = (description: string): PropertyDecorator => {
  const rules = [
    ApiProperty({ type: 'number', required: false, minimum: 0, maximum: 1, description }),
    IfGiven(),
    IsNumber(),
    Min(0),
    Max(1),
  ];
  return (prototype, name) => {
    for (const rule of rules) rule(prototype, name);
  };
};

/** A switch that may be left out. */
export const Flag = (description: string): PropertyDecorator => {
  const rules = [ApiProperty({ type: 'boolean', required: false, description }), IfGiven(), IsBoolean()];
  return (prototype, name) => {
    for (const rule of rules) rule(prototype, name);
  };
};

/** How sure the engine must be, from 0 to 1. */
export class AiThresholds {
  @Share('Below, the models of a workspace abstain. 0.6 unless set.')
  classify?: number;

  @Share('Share of what is asked that a source must say to be suggested as an answer. 0.45 unless set.')
  suggest?: number;

  @Share('How likely an answer must be to help to be given to a customer without a person. 0.8 unless set.')
  auto_reply?: number;
}

/** A whole number that may be left out. */
export const Whole = (least: number, most: number, description: string): PropertyDecorator => {
  const rules = [
    ApiProperty({ type: 'integer', required: false, minimum: least, maximum: most, description }),
    IfGiven(),
    IsInt(),
    Min(least),
    Max(most),
  ];
  return (prototype, name) => {
    for (const rule of rules) rule(prototype, name);
  };
};

const MOST_KEYWORDS = 50;
export const OUTSIDE_HOURS = ['answer', 'handover'] as const;

/** When a person takes over a conversation. */
export class AiHandover {
  @Flag('Whenever one of `keywords` is said. `true` unless set.')
  on_request?: boolean;

  @Flag('When neither the first question nor an answer to a question back can be answered surely. `true` unless set.')
  on_low_confidence?: boolean;

  @Flag('When what is said sounds very negative. `true` unless set.')
  on_negative_sentiment?: boolean;

  @ApiProperty({
    type: 'array',
    required: false,
    maxItems: MOST_KEYWORDS,
    items: { type: 'string', minLength: 1, maxLength: 60 },
    description: 'Words by which customers ask for a person.',
    example: ['human', 'operator'],
  })
  @IfGiven()
  @IsArray()
  @ArrayMaxSize(MOST_KEYWORDS)
  @ArrayUnique()
  @IsString({ each: true })
  @MinLength(1, { each: true })
  @MaxLength(60, { each: true })
  keywords?: string[];

  @Whole(1, 50, 'Messages of the customer about one matter after which a person takes over. 4 unless set.')
  max_turns?: number;

  @ApiProperty({
    type: 'array',
    required: false,
    items: { type: 'string', enum: [...TICKET_PRIORITIES] },
    description: 'Tickets of these go to a person at once. `urgent` unless set.',
  })
  @IfGiven()
  @IsArray()
  @ArrayUnique()
  @IsIn([...TICKET_PRIORITIES], { each: true })
  priorities?: TicketPriority[];

  @ApiProperty({
    enum: OUTSIDE_HOURS,
    required: false,
    description: 'Outside of the default schedule it answers, or leaves everything to people. `answer` unless set.',
  })
  @IfGiven()
  @IsIn([...OUTSIDE_HOURS])
  outside_business_hours?: (typeof OUTSIDE_HOURS)[number];
}

/** Hours of silence after which a conversation is over. */
export class AiResolutionWindows {
  @Whole(1, 720, 'Of conversations by e-mail. 72 unless set.')
  email?: number;

  @Whole(1, 720, 'Of all others. 24 unless set.')
  chat?: number;
}

/** What answers are taken of: those of conversations, replies in tickets and suggestions. */
export class AiSources {
  @Flag('Articles that are open to the engine. `true` unless set.')
  kb_articles?: boolean;

  @Flag('Replies to resolved tickets, for suggestions to agents alone. `true` unless set.')
  resolved_tickets?: boolean;

  @Flag('Internal articles, too, for suggestions to agents alone. `false` unless set.')
  internal_articles?: boolean;

  @Flag(
    'Canned responses: for suggestions to agents those that they share in, for customers those with `ai_answers`. `true` unless set.',
  )
  canned_responses?: boolean;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: 36_500,
    nullable: true,
    required: false,
    description: 'Sources that were last changed more days ago are left out; null = none are.',
  })
  @IfPresent()
  @IsInt()
  @Min(1)
  @Max(36_500)
  max_age_days?: number | null;
}

/** When a resolution that nobody confirmed counts as verified. */
export class AiVerification {
  @Whole(1, 90, 'Days in which a known contact neither comes back nor makes a ticket about the same. 7 unless set.')
  reopen_days?: number;
}

/** What is predicted. */
export class AiTasks implements Partial<Record<Task, boolean>> {
  @Flag('Category, learnt from closed tickets.')
  category?: boolean;

  @Flag('Priority, learnt from closed tickets.')
  priority?: boolean;

  @Flag('Assignee, learnt from closed tickets.')
  assignee?: boolean;

  @Flag('Team, learnt from closed tickets.')
  team?: boolean;

  @Flag('Tags, learnt from closed tickets that have some.')
  tags?: boolean;

  @Flag('What is wanted: by rules, and learnt from closed tickets with a tag `intent__…`, once there are enough.')
  intent?: boolean;

  @Flag('Whether the customer is going to rate it badly, learnt from tickets that were rated.')
  csat_risk?: boolean;

  @Flag('Language, by its commonest words or its script.')
  language?: boolean;

  @Flag('Sentiment, by a list of words.')
  sentiment?: boolean;

  @Flag('Open tickets that say nearly the same.')
  duplicate?: boolean;

  @Flag('Minutes to the resolution, by tickets like it.')
  resolution_time?: boolean;

  @Flag('Whether the SLA is going to be missed, by how often tickets like it did.')
  sla_breach_risk?: boolean;
}

/** The same as plain data. */
export type Thresholds = Pick<AiThresholds, keyof AiThresholds>;
export type SwitchedTasks = Pick<AiTasks, keyof AiTasks>;

export type AnswerSources = Pick<AiSources, keyof AiSources>;
export type Handover = Pick<AiHandover, keyof AiHandover>;
export type ResolutionWindows = Pick<AiResolutionWindows, keyof AiResolutionWindows>;
export type Verification = Pick<AiVerification, keyof AiVerification>;

export const DEFAULT_THRESHOLDS: Required<Thresholds> = { classify: 0.6, suggest: 0.45, auto_reply: 0.8 };

export const DEFAULT_HANDOVER: Required<Handover> = {
  on_request: true,
  on_low_confidence: true,
  on_negative_sentiment: true,
  keywords: ['human', 'agent', 'operator', 'real person', 'operatore', 'mitarbeiter', 'conseiller', 'agente'],
  max_turns: 4,
  priorities: ['urgent'],
  outside_business_hours: 'answer',
};

export const DEFAULT_SOURCES: Required<AnswerSources> = {
  kb_articles: true,
  resolved_tickets: true,
  internal_articles: false,
  canned_responses: true,
  max_age_days: null,
};
export const DEFAULT_WINDOWS: Required<ResolutionWindows> = { chat: 24, email: 72 };
export const DEFAULT_VERIFICATION: Required<Verification> = { reopen_days: 7 };

export const DEFAULT_TASKS: Record<Task, boolean> = {
  category: true,
  priority: true,
  assignee: true,
  team: true,
  tags: true,
  intent: true,
  csat_risk: true,
  language: true,
  sentiment: true,
  duplicate: true,
  resolution_time: true,
  sla_breach_risk: true,
};

/** Settings with others in place of those that are given. */
export function settingsWith<T extends object>(stored: T, given: Partial<T>): T {
  return { ...stored, ...given };
}
