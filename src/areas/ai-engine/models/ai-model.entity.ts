import { Entity } from 'typeorm';
import {
  ComputedColumn,
  EnumColumn,
  IntegerColumn,
  JsonColumn,
  StringColumn,
  TimestampColumn,
} from '../../../platform/columns/columns';
import { ResourceEntity } from '../../../platform/resource/resource-entity';
import type { Computed, OneOf } from '../../../platform/resource/rows';
import type { Evaluation } from '../model/evaluation';
import { LEAST_OF_A_CLASS, LEAST_TICKETS, LEARNT_TASKS } from '../tasks';

export const MODEL_STATUSES = ['queued', 'training', 'ready', 'insufficient_data', 'failed', 'retired'] as const;

/** One of the values that a model knows. */
export interface ModelClass {
  value: string;
  samples: number;
}

const readOnly = true;
const share = { type: ['number', 'null'], minimum: 0, maximum: 1 };

const evaluation = {
  type: ['object', 'null'],
  required: ['n', 'accuracy', 'weighted_f1', 'macro_f1', 'ece', 'calibration', 'answered'],
  properties: {
    n: { type: 'integer', description: 'Tickets that were held out.' },
    accuracy: share,
    weighted_f1: share,
    macro_f1: share,
    ece: { ...share, description: 'Expected calibration error: how far confidence is from what was right.' },
    calibration: {
      type: 'array',
      items: {
        type: 'object',
        required: ['bin', 'predicted', 'observed', 'n'],
        properties: { bin: { type: 'number' }, predicted: share, observed: share, n: { type: 'integer' } },
      },
    },
    answered: {
      type: 'object',
      description: 'Those at or above the confidence that predictions need.',
      required: ['confidence', 'coverage', 'accuracy'],
      properties: { confidence: { type: 'number' }, coverage: share, accuracy: share },
    },
  },
};

/** A model that was made of the closed tickets of a workspace, or why there is none. */
@Entity('ai_models')
export class AiModel extends ResourceEntity {
  @EnumColumn(LEARNT_TASKS, { readOnly })
  task: OneOf<typeof LEARNT_TASKS>;

  @EnumColumn(MODEL_STATUSES, {
    readOnly,
    description: '`ready`: predictions are made by it; `retired`: a newer one took its place.',
  })
  status: OneOf<typeof MODEL_STATUSES>;

  @StringColumn({ readOnly, nullable: true, max: 100, example: 'tfidf-svm/2026-11-22' })
  method: string | null;

  @StringColumn({
    readOnly,
    nullable: true,
    max: 500,
    description: `Why there is no model: fewer than ${LEAST_TICKETS} closed tickets, or of fewer than two classes at least ${LEAST_OF_A_CLASS}.`,
  })
  reason: string | null;

  @IntegerColumn({ readOnly, min: 0, description: 'Closed tickets that it was made of.' })
  samples: number;

  @JsonColumn({
    readOnly,
    description: `Values that it knows, of each how many tickets; those with fewer than ${LEAST_OF_A_CLASS} it does not.`,
    api: {
      type: 'array',
      items: {
        type: 'object',
        required: ['value', 'samples'],
        properties: { value: { type: 'string' }, samples: { type: 'integer' } },
      },
    },
  })
  classes: ModelClass[];

  @JsonColumn({
    readOnly,
    nullable: true,
    description: 'How good it is on a fifth of the tickets, which were held out; the model itself is made of all.',
    api: { type: 'object', additionalProperties: true },
    shown: evaluation,
  })
  evaluation: Evaluation | null;

  @IntegerColumn({ readOnly, min: 0, description: 'What it takes to keep.' })
  bytes: number;

  @TimestampColumn({ readOnly, nullable: true })
  started_at: string | null;

  @TimestampColumn({ readOnly, nullable: true })
  trained_at: string | null;

  @TimestampColumn({
    readOnly,
    nullable: true,
    description: 'When it was noticed that what it predicts now is worse than what it said of itself.',
  })
  drifted_at: string | null;

  @ComputedColumn(
    {
      type: 'number',
      description: 'Of its predictions whose tickets are over, the share that was right; null without any.',
    },
    (model) =>
      `(SELECT round(avg(p.was_correct::integer), 4)::float FROM ai_predictions p WHERE p.workspace_id = ${model}.workspace_id AND p.model_id = ${model}.id AND p.was_correct IS NOT NULL)`,
    true,
  )
  live_accuracy: Computed<number | null>;
}
