import { getSchemaPath } from '@nestjs/swagger';
import { Column, Entity } from 'typeorm';
import {
  ComputedColumn,
  DecimalColumn,
  EnumColumn,
  IntegerColumn,
  JsonColumn,
  ReferenceColumn,
  StringColumn,
  TextColumn,
  TimestampColumn,
} from '../../../platform/columns/columns';
import { ResourceEntity } from '../../../platform/resource/resource-entity';
import type { Computed, OneOf } from '../../../platform/resource/rows';
import { TICKET_CHANNELS } from '../../tickets/ticket-values';
import { CitedSource } from '../answers/answers.dto';
import { outcomeOf } from './conversation-outcome';
import {
  CONVERSATION_STATUSES,
  HANDOVER_REASONS,
  MAX_MESSAGE,
  MESSAGE_ACTIONS,
  OUTCOMES,
  RESOLUTION_STATES,
} from './conversation-values';

const readOnly = true;
const nullable = true;

/** A conversation of somebody who needs help with the engine: product reference 7.3. */
@Entity('ai_conversations')
export class AiConversation extends ResourceEntity {
  @ReferenceColumn('tickets', {
    readOnly,
    nullable,
    description: 'What it is about, or what was made of it when a person took over.',
  })
  ticket_id: number | null;

  @ReferenceColumn('contacts', { readOnly, nullable })
  contact_id: number | null;

  @EnumColumn(TICKET_CHANNELS, { readOnly })
  channel: OneOf<typeof TICKET_CHANNELS>;

  @StringColumn({ readOnly, nullable, max: 35, description: 'BCP 47; null until it can be told.' })
  language: string | null;

  @EnumColumn(CONVERSATION_STATUSES, {
    readOnly,
    description:
      '`handed_over`: a person has it, and the engine says nothing more; `resolved` and `abandoned`: over, until the customer writes again.',
  })
  status: OneOf<typeof CONVERSATION_STATUSES>;

  @ComputedColumn(
    {
      type: 'string',
      enum: [...OUTCOMES],
      description: 'By what is known now; null where an answer was given and it ended in nothing.',
    },
    outcomeOf,
    true,
  )
  outcome: Computed<string | null>;

  @EnumColumn(RESOLUTION_STATES, {
    readOnly,
    nullable,
    description: '`confirmed`: the customer said so; `assumed`: they asked nothing more.',
  })
  resolution_state: OneOf<typeof RESOLUTION_STATES> | null;

  @EnumColumn(HANDOVER_REASONS, { readOnly, nullable })
  handover_reason: OneOf<typeof HANDOVER_REASONS> | null;

  @ReferenceColumn('teams', { readOnly, nullable })
  handover_to_team_id: number | null;

  @TimestampColumn({ readOnly, nullable })
  handed_over_at: string | null;

  @TextColumn({ readOnly, max: MAX_MESSAGE })
  first_message: string;

  @IntegerColumn({ readOnly, min: 0, description: 'What the customer has said.' })
  turns: number;

  @IntegerColumn({ readOnly, min: 0, description: 'What was answered with sources.' })
  answers: number;

  /** What they have said since it was last resolved. */
  @Column({ type: 'integer' })
  episode_turns: number;

  @ReferenceColumn('channel_threads', {
    readOnly,
    nullable,
    description: 'The chat that it is led in: what the visitor says there, and is answered.',
  })
  thread_id: number | null;

  /** Of the last message of the visitor in that chat that was taken up. */
  @Column({ type: 'integer', nullable: true })
  last_position: number | null;

  /** Where it is led in its ticket: the last comment of the customer that was taken up. */
  @Column({ type: 'bigint', nullable: true })
  last_comment_id: number | null;

  @TextColumn({ readOnly, nullable, max: MAX_MESSAGE, description: 'What the engine said last.' })
  reply: string | null;

  @EnumColumn(MESSAGE_ACTIONS, { readOnly, nullable, description: 'What it did with that.' })
  action: OneOf<typeof MESSAGE_ACTIONS> | null;

  @JsonColumn({
    readOnly,
    api: { type: 'array', items: { $ref: getSchemaPath(CitedSource) } },
    description: 'What `reply` was taken of, or what comes closest where it asks back.',
  })
  sources: CitedSource[];

  @DecimalColumn({
    readOnly,
    nullable,
    min: 0,
    max: 1,
    description: 'How likely the sources of `reply` help: by those that were judged.',
  })
  confidence: number | null;

  @IntegerColumn({ readOnly, nullable, min: 1, max: 5 })
  csat_score: number | null;

  @StringColumn({ readOnly, nullable, max: 4_000 })
  csat_comment: string | null;

  @StringColumn({ readOnly, max: 50, description: 'Who found or wrote `reply`: `local`, or `openai_compatible`.' })
  provider: string;

  @StringColumn({
    readOnly,
    nullable,
    max: 200,
    description: 'The model elsewhere that wrote `reply`, or said that it cannot.',
  })
  model: string | null;

  @IntegerColumn({ readOnly, min: 0, description: 'Of models elsewhere, of all answers, as they count them.' })
  tokens_in: number;

  @IntegerColumn({ readOnly, min: 0 })
  tokens_out: number;

  @DecimalColumn({
    readOnly,
    nullable,
    min: 0,
    description: 'What these cost, by the prices of the settings then; null without any.',
  })
  cost: number | null;

  @IntegerColumn({ readOnly, nullable, min: 0, description: 'How long it took to find or write `reply`.' })
  latency_ms: number | null;

  @TimestampColumn({ readOnly })
  started_at: string;

  @TimestampColumn({ readOnly })
  last_activity_at: string;

  @TimestampColumn({ readOnly, nullable, description: 'The last time.' })
  resolved_at: string | null;

  @TimestampColumn({
    readOnly,
    nullable,
    description: 'When the customer last came back: that resolution does not count.',
  })
  reopened_at: string | null;
}
