import { Entity } from 'typeorm';
import {
  BooleanColumn,
  ComputedColumn,
  DecimalColumn,
  EnumColumn,
  JsonColumn,
  ReferenceColumn,
  StringColumn,
  TimestampColumn,
} from '../../../platform/columns/columns';
import { ResourceEntity } from '../../../platform/resource/resource-entity';
import type { Computed, OneOf } from '../../../platform/resource/rows';
import type { Telling } from '../model/explain';
import { TASKS } from '../tasks';

export const PREDICTION_STATUSES = [
  'pending',
  'applied',
  'accepted',
  'corrected',
  'rejected',
  'expired',
  'abstained',
] as const;
export const ABSTAIN_REASONS = ['insufficient_data', 'low_confidence', 'unsupported_language'] as const;
export type AbstainReason = OneOf<typeof ABSTAIN_REASONS>;

/** Confidences from which a prediction is called so. */
export const BANDS = { high: 0.8, medium: 0.5 } as const;

/** What else it could be. */
export interface Alternative {
  value: string;
  label: string;
  confidence: number;
}

const readOnly = true;
const share = { type: 'number', minimum: 0, maximum: 1 };

const alternativesSchema = {
  type: 'array' as const,
  items: {
    type: 'object',
    required: ['value', 'label', 'confidence'],
    properties: { value: { type: 'string' }, label: { type: 'string' }, confidence: share },
  },
};

const featuresSchema = {
  type: 'array' as const,
  items: {
    type: 'object',
    required: ['token', 'weight'],
    properties: { token: { type: 'string' }, weight: { type: 'number' } },
  },
};

/** What was predicted of a ticket, and what became of it: product reference 7.4. */
@Entity('ai_predictions')
export class AiPrediction extends ResourceEntity {
  @ReferenceColumn('tickets', { readOnly })
  ticket_id: number;

  @EnumColumn(TASKS, { readOnly })
  task: OneOf<typeof TASKS>;

  @StringColumn({
    readOnly,
    nullable: true,
    max: 255,
    description: 'An id as text where it is one; null = it abstained.',
  })
  value: string | null;

  @StringColumn({ readOnly, nullable: true, max: 255, description: 'The value in words, as it was called then.' })
  label: string | null;

  @DecimalColumn({
    readOnly,
    nullable: true,
    min: 0,
    max: 1,
    description:
      'The probability of being accepted: what the method says of itself (`score`), moved by what became of predictions as sure as this one once there are enough; as it was when this was predicted.',
  })
  confidence: number | null;

  @DecimalColumn({
    readOnly,
    nullable: true,
    min: 0,
    max: 1,
    description:
      'What the method said before reviews and outcomes moved it: of models calibrated on tickets that were held out; of rules, lists of words and likeness no more than a rank.',
  })
  score: number | null;

  @ComputedColumn(
    { type: 'string', enum: [...Object.keys(BANDS), 'low'], description: 'From 0.8, from 0.5, below.' },
    (row) =>
      `CASE WHEN ${row}.confidence >= ${BANDS.high} THEN 'high' WHEN ${row}.confidence >= ${BANDS.medium} THEN 'medium' WHEN ${row}.confidence IS NOT NULL THEN 'low' END`,
    true,
  )
  confidence_band: Computed<string | null>;

  @JsonColumn({ readOnly, api: alternativesSchema, description: 'What else it could be, the likeliest first.' })
  alternatives: Alternative[];

  @JsonColumn({ readOnly, api: featuresSchema, description: 'Words of the ticket that spoke for it most.' })
  features: Telling[];

  @StringColumn({ readOnly, max: 100, example: 'tfidf-svm/2026-11-22' })
  method: string;

  @ReferenceColumn('ai_models', { readOnly, nullable: true })
  model_id: number | null;

  @EnumColumn(PREDICTION_STATUSES, { readOnly, description: '`expired`: a newer one of the same took its place.' })
  status: OneOf<typeof PREDICTION_STATUSES>;

  @EnumColumn(ABSTAIN_REASONS, { readOnly, nullable: true })
  abstain_reason: AbstainReason | null;

  @TimestampColumn({ readOnly, nullable: true, description: 'When an automation set the ticket to it.' })
  applied_at: string | null;

  @ReferenceColumn('users', { readOnly, nullable: true })
  reviewed_by: number | null;

  @TimestampColumn({ readOnly, nullable: true })
  reviewed_at: string | null;

  @StringColumn({
    readOnly,
    nullable: true,
    max: 255,
    description: 'What was true: what a review says, then what the ticket has when it is resolved.',
  })
  actual_value: string | null;

  @BooleanColumn({ readOnly, nullable: true, description: 'null until it is known, and where it abstained.' })
  was_correct: boolean | null;

  @StringColumn({ readOnly, max: 64, description: 'The same of the same text, by the same method.' })
  input_hash: string;
}

/** What a method makes of a ticket, as sure as it is of itself. */
export type NewPrediction = Pick<
  AiPrediction,
  'task' | 'value' | 'label' | 'confidence' | 'alternatives' | 'features' | 'method' | 'model_id' | 'abstain_reason'
>;

/** Columns that stand in the row of a new prediction. */
export type ToldPrediction = NewPrediction & Pick<AiPrediction, 'score'>;
