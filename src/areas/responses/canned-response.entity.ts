import { Entity } from 'typeorm';
import { timestampText } from '../../platform/columns/column-spec';
import { BooleanColumn, ComputedColumn, StringColumn, TagsColumn, TextColumn } from '../../platform/columns/columns';
import type { Computed } from '../../platform/resource/rows';
import { SharedRecord } from '../users/shared-record';

/** As long as a comment may be. */
const MAX_BODY = 65_536;

/** An answer that agents give again and again. What counts its uses is no part of its version. */
@Entity('canned_responses')
export class CannedResponse extends SharedRecord {
  @StringColumn({ required: true, max: 255, example: 'Thanks, and what happens next' })
  title: string;

  @TextColumn({
    required: true,
    max: MAX_BODY,
    description:
      'Markdown, like a comment; it may hold variables such as `{{requester.name}}`, `{{ticket.code}}` and `{{agent.name}}`.',
    example: 'Hello {{requester.name}},\n\nwe look into **{{ticket.subject}}** today.\n\n{{agent.name}}',
  })
  body: string;

  @StringColumn({
    max: 64,
    nullable: true,
    pattern: /^\/[a-z0-9][a-z0-9_-]*$/,
    description:
      'What inserts it, e.g. `/thanks`. Unique among the shared ones, and among those that a user keeps private.',
  })
  shortcut: string | null;

  @StringColumn({ max: 120, min: 1, nullable: true, example: 'First answers' })
  folder: string | null;

  @TagsColumn({ example: 'greeting' })
  tags: string;

  @BooleanColumn({
    default: false,
    description:
      'The AI engine may answer customers with sentences of it that have no variable, while everyone shares in it. Agents are suggested it whatever this says.',
  })
  ai_answers: boolean;

  @ComputedColumn(
    { type: 'integer', description: 'How often it was rendered to be used.' },
    (alias) => `${alias}.use_count`,
  )
  use_count: Computed<number>;

  @ComputedColumn({ type: 'string', format: 'date-time' }, (alias) => timestampText(`${alias}.last_used_at`), true)
  last_used_at: Computed<string | null>;
}
