import { Column, Entity } from 'typeorm';
import {
  BooleanColumn,
  ComputedColumn,
  EnumColumn,
  IntegerColumn,
  JsonColumn,
  ReferenceColumn,
  ReferencesColumn,
  StringColumn,
  StringsColumn,
  TextColumn,
} from '../../../platform/columns/columns';
import { ResourceEntity } from '../../../platform/resource/resource-entity';
import type { Computed, OneOf } from '../../../platform/resource/rows';
import { objectOf } from '../../../platform/validation/shapes';
import { AiOpenAi, AiRedaction, DEFAULT_OPENAI, DEFAULT_REDACTION, PROVIDERS } from './provider.values';
import { AGAIN_AFTER } from '../training/training-job';
import { TICKET_CHANNELS } from '../../tickets/ticket-values';
import {
  AiHandover,
  AiResolutionWindows,
  AiSources,
  AiTasks,
  AiThresholds,
  AiVerification,
  DEFAULT_HANDOVER,
  DEFAULT_SOURCES,
  DEFAULT_TASKS,
  DEFAULT_THRESHOLDS,
  DEFAULT_VERIFICATION,
  DEFAULT_WINDOWS,
} from './ai-settings.values';

export const AI_MODES = ['off', 'suggest', 'auto_reply'] as const;

/** The newest training of each task. */
export interface TrainingState {
  task: string;
  status: string;
  model_id: number;
  samples: number;
  /** Values that it knows. */
  classes: number;
  reason: string | null;
  trained_at: string | null;
  /** From when on it is made again by itself, if there is enough to learn; null where nothing is made by itself. */
  next_run_at: string | null;
}

/** What models elsewhere were asked. */
export interface ProviderUsage {
  /** Tokens of the day and of the month (UTC), as the provider counts them. */
  tokens_today: number;
  tokens_month: number;
  requests_month: number;
  /** null without prices. */
  cost_month: number | null;
}

const training = (alias: string): string =>
  `(SELECT coalesce(json_agg(n ORDER BY n.task), '[]') FROM (SELECT DISTINCT ON (m.task) m.task, m.status, m.id AS model_id, m.samples, jsonb_array_length(m.classes) AS classes, m.reason, m.trained_at,
      CASE WHEN ${alias}.enabled AND ${alias}.mode <> 'off' THEN coalesce(m.trained_at, m.updated_at) + interval '${AGAIN_AFTER}' END AS next_run_at
    FROM ai_models m WHERE m.workspace_id = ${alias}.workspace_id ORDER BY m.task, m.id DESC) n)`.replaceAll(
    /\s+/g,
    ' ',
  );

const usage = (alias: string): string =>
  `(SELECT json_build_object('tokens_today', coalesce(sum(k.tokens_in + k.tokens_out) FILTER (WHERE k.created_at >= date_trunc('day', now(), 'UTC')), 0),
    'tokens_month', coalesce(sum(k.tokens_in + k.tokens_out), 0), 'requests_month', count(*), 'cost_month', sum(k.cost)::float)
    FROM ai_calls k WHERE k.workspace_id = ${alias}.workspace_id AND k.created_at >= date_trunc('month', now(), 'UTC'))`.replaceAll(
    /\s+/g,
    ' ',
  );

const nullableText = { type: 'string', nullable: true };

/** What a workspace wants of the AI engine; there is one for each. */
@Entity('ai_settings')
export class AiSettings extends ResourceEntity {
  @BooleanColumn({
    default: true,
    description:
      '`false`: nothing is predicted, learnt, suggested, summarized or answered, by itself or asked for (422). Passages are still found (`/ai-engine/retrieve`), and what there is is read and reviewed.',
  })
  enabled: boolean;

  @EnumColumn(AI_MODES, {
    default: 'suggest',
    description:
      '`suggest`: new tickets are predicted by themselves once there is a model; `auto_reply`: and are answered where a source is sure enough; `off`: only what is asked for.',
  })
  mode: OneOf<typeof AI_MODES>;

  @JsonColumn({
    shape: objectOf(AiThresholds),
    unset: DEFAULT_THRESHOLDS,
    description: 'How sure it must be, from 0 to 1. A change names those that change.',
    example: { classify: 0.7 },
  })
  thresholds: AiThresholds;

  @JsonColumn({
    shape: objectOf(AiTasks),
    unset: DEFAULT_TASKS,
    description: 'What is predicted. A change names those that change.',
    example: { assignee: false },
  })
  tasks: AiTasks;

  @StringsColumn({
    maxItems: TICKET_CHANNELS.length,
    maxLength: 20,
    pattern: new RegExp(`^(${TICKET_CHANNELS.join('|')})$`),
    default: ['portal', 'chat'],
    description: 'Channels on which it answers customers; conversations on others go to a person at once.',
    example: ['portal', 'chat'],
  })
  channels: string[];

  @StringsColumn({
    maxItems: 50,
    maxLength: 3,
    lowerCase: true,
    pattern: /^[a-z]{2,3}$/,
    description: 'Languages that it answers in; none = all. What cannot be told is answered.',
    example: ['en', 'de'],
  })
  languages: string[];

  @JsonColumn({
    shape: objectOf(AiHandover),
    unset: DEFAULT_HANDOVER,
    description: 'When a person takes over a conversation. A change names what changes.',
    example: { max_turns: 3 },
  })
  handover: AiHandover;

  @ReferenceColumn('teams', {
    nullable: true,
    description:
      'Which team tickets go to when a person takes over, unless they have a team or an assignee; null = as any other ticket.',
  })
  handover_team_id: number | null;

  @JsonColumn({
    shape: objectOf(AiResolutionWindows),
    unset: DEFAULT_WINDOWS,
    description: 'Hours of silence after which a conversation is over. A change names what changes.',
    example: { chat: 12 },
  })
  resolution_window_hours: AiResolutionWindows;

  @JsonColumn({
    shape: objectOf(AiVerification),
    unset: DEFAULT_VERIFICATION,
    description: 'When a resolution that nobody confirmed counts as verified.',
    example: { reopen_days: 14 },
  })
  verify: AiVerification;

  @JsonColumn({
    shape: objectOf(AiSources),
    unset: DEFAULT_SOURCES,
    description: 'What answers are taken of. A change names what changes.',
    example: { max_age_days: 730 },
  })
  sources: AiSources;

  @ReferencesColumn('categories', {
    max: 100,
    description:
      'Categories of tickets that it answers in; none = all. A ticket without a category is of none of them.',
  })
  categories: number[];

  @StringColumn({
    nullable: true,
    max: 200,
    description: 'How a provider is to write. Quotes are as they are.',
    example: 'Friendly, in short sentences.',
  })
  tone: string | null;

  @TextColumn({ nullable: true, max: 500, description: 'Stands below answers that it gives in tickets.' })
  signature: string | null;

  @IntegerColumn({
    min: 0,
    max: 120,
    default: 2,
    description: 'What an answer saves, in minutes: an estimate of yours, of which metrics make theirs.',
  })
  minutes_per_answer: number;

  @EnumColumn(PROVIDERS, {
    default: 'local',
    description:
      'Who writes suggested replies: quotes that are found here, or a model that speaks OpenAI’s protocol and is shown the passages.',
  })
  provider: OneOf<typeof PROVIDERS>;

  @JsonColumn({
    shape: objectOf(AiOpenAi),
    unset: DEFAULT_OPENAI,
    description: 'Where that model is, and how it is asked. A change names what changes.',
    example: { model: 'small-instruct' },
  })
  openai_compatible: AiOpenAi;

  /** Of the provider. */
  @Column({ type: 'text', nullable: true })
  api_key_sealed: string | null;

  @ComputedColumn(
    { type: 'boolean', description: 'Whether there is a key of the provider; `api_key` sets it, nothing shows it.' },
    (settings) => `(${settings}.api_key_sealed IS NOT NULL)`,
  )
  api_key_set: Computed<boolean>;

  @BooleanColumn({
    default: true,
    description:
      'Whether quotes that are found here are suggested where the provider cannot be asked or makes no sense.',
  })
  fallback_to_local: boolean;

  @IntegerColumn({
    nullable: true,
    min: 0,
    description:
      'Tokens of a month (UTC), as the provider counts them, after which answers are found here; null = no limit.',
    example: 5_000_000,
  })
  max_tokens_month: number | null;

  @ComputedColumn(
    {
      type: 'object',
      description: 'What the provider was asked; a day and a month are those of UTC.',
      required: ['tokens_today', 'tokens_month', 'requests_month', 'cost_month'],
      properties: {
        tokens_today: { type: 'integer' },
        tokens_month: { type: 'integer' },
        requests_month: { type: 'integer' },
        cost_month: { type: 'number', nullable: true, description: 'By the prices of then; null without any.' },
      },
    },
    usage,
  )
  usage: Computed<ProviderUsage>;

  @JsonColumn({
    shape: objectOf(AiRedaction),
    unset: DEFAULT_REDACTION,
    description: 'What is taken out of texts before a provider is sent them. A change names what changes.',
    example: { phones: false },
  })
  redact: AiRedaction;

  @ComputedColumn(
    {
      type: 'array',
      description: 'The newest training of each task.',
      items: {
        type: 'object',
        required: ['task', 'status', 'model_id', 'samples', 'classes', 'reason', 'trained_at', 'next_run_at'],
        properties: {
          task: { type: 'string' },
          status: { type: 'string' },
          model_id: { type: 'integer', format: 'int64' },
          samples: { type: 'integer' },
          classes: { type: 'integer', description: 'Values that it knows.' },
          reason: nullableText,
          trained_at: { ...nullableText, format: 'date-time' },
          next_run_at: {
            ...{ ...nullableText, format: 'date-time' },
            description: 'From then on it is made again by itself, once there is enough that is new.',
          },
        },
      },
    },
    training,
  )
  training: Computed<TrainingState[]>;
}
