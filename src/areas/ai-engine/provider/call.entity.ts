import { Column, Entity, PrimaryColumn } from 'typeorm';
import {
  BooleanColumn,
  ComputedColumn,
  DecimalColumn,
  EnumColumn,
  IntegerColumn,
  StringColumn,
  TimestampColumn,
} from '../../../platform/columns/columns';
import type { Computed, OneOf } from '../../../platform/resource/rows';
import { FAILURES } from './provided-answer';

const readOnly = true;
const nullable = true;

/** A question to a provider: how it went, never what was said. */
@Entity('ai_calls')
export class AiCall {
  @PrimaryColumn({ type: 'bigint' })
  @ComputedColumn({ type: 'integer', format: 'int64' }, (call) => `${call}.id`)
  id: Computed<number>;

  @Column({ type: 'bigint' })
  workspace_id: number;

  @StringColumn({ readOnly, max: 50 })
  provider: string;

  @StringColumn({ readOnly, max: 200 })
  model: string;

  @EnumColumn(FAILURES, { readOnly, nullable, description: 'Why nothing came of it; null = it was answered.' })
  failure: OneOf<typeof FAILURES> | null;

  @IntegerColumn({ readOnly, nullable, description: 'HTTP status of the last attempt; null when no answer began.' })
  http_status: number | null;

  @IntegerColumn({
    readOnly,
    min: 0,
    description: '0 where nothing was sent, because the budget of the day is used up.',
  })
  attempts: number;

  @IntegerColumn({ readOnly, min: 0 })
  latency_ms: number;

  @IntegerColumn({ readOnly, min: 0 })
  tokens_in: number;

  @IntegerColumn({ readOnly, min: 0 })
  tokens_out: number;

  @StringColumn({ readOnly, max: 64, description: 'The same of the same question with the same passages (SHA-256).' })
  prompt_hash: string;

  @IntegerColumn({ readOnly, min: 0, description: 'Addresses and numbers that were taken out before it was sent.' })
  redactions: number;

  @BooleanColumn({ readOnly, description: 'Quotes that were found here took its place.' })
  fell_back: boolean;

  @DecimalColumn({ readOnly, nullable, min: 0, description: 'By the prices of the settings; null without any.' })
  cost: number | null;

  @TimestampColumn({ readOnly })
  created_at: string;
}
