import { getSchemaPath } from '@nestjs/swagger';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import {
  BooleanColumn,
  ComputedColumn,
  DecimalColumn,
  EnumColumn,
  JsonColumn,
  ReferenceColumn,
  StringColumn,
  TextColumn,
  TimestampColumn,
} from '../../../platform/columns/columns';
import type { Computed, OneOf } from '../../../platform/resource/rows';
import { CitedSource } from '../answers/answers.dto';
import { MAX_MESSAGE, MESSAGE_ACTIONS, MESSAGE_ROLES } from './conversation-values';

const readOnly = true;
const nullable = true;

/** What somebody said in a conversation. */
@Entity('ai_messages')
export class AiMessage {
  @PrimaryColumn({ type: 'bigint' })
  @ComputedColumn({ type: 'integer', format: 'int64' }, (message) => `${message}.id`)
  id: Computed<number>;

  @Column({ type: 'bigint' })
  workspace_id: number;

  @ReferenceColumn('ai_conversations', { readOnly })
  conversation_id: number;

  @EnumColumn(MESSAGE_ROLES, { readOnly, description: '`agent`: a person, of what was said before it began here.' })
  role: OneOf<typeof MESSAGE_ROLES>;

  @TextColumn({ readOnly, max: MAX_MESSAGE })
  body: string;

  @EnumColumn(MESSAGE_ACTIONS, { readOnly, nullable, description: 'What the engine did; null of others.' })
  action: OneOf<typeof MESSAGE_ACTIONS> | null;

  @DecimalColumn({
    readOnly,
    nullable,
    min: 0,
    max: 1,
    description: 'Share of what was asked that the best source says; of a model, how sure it said that it is.',
  })
  score: number | null;

  @DecimalColumn({ readOnly, nullable, min: 0, max: 1 })
  confidence: number | null;

  @JsonColumn({ readOnly, api: { type: 'array', items: { $ref: getSchemaPath(CitedSource) } } })
  sources: CitedSource[];

  @StringColumn({
    readOnly,
    nullable,
    max: 200,
    description: 'The model elsewhere that wrote it; null = it is quoted.',
  })
  model: string | null;

  @BooleanColumn({ readOnly, nullable, description: 'What the customer said of this answer.' })
  helpful: boolean | null;

  @TimestampColumn({ readOnly })
  created_at: string;
}
