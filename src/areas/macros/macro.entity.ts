import { ArrayMaxSize, ArrayMinSize, IsArray, IsObject } from 'class-validator';
import { Entity } from 'typeorm';
import type { Action } from '../../platform/area/rules';
import { timestampText } from '../../platform/columns/column-spec';
import { BooleanColumn, ComputedColumn, IntegerColumn, JsonColumn, StringColumn } from '../../platform/columns/columns';
import { LAST_PLACE } from '../../platform/resource/last-place';
import type { Computed } from '../../platform/resource/rows';
import { actionsSchema, MAX_ACTIONS, shownActionsSchema } from '../automations/automation.schemas';
import { SharedRecord } from '../users/shared-record';

/** Actions of automations that people apply to tickets. What counts its uses is no part of its version. */
@Entity('macros')
export class Macro extends SharedRecord {
  @StringColumn({ required: true, max: 255, example: 'Ask for a restart' })
  name: string;

  @StringColumn({ max: 2_000, nullable: true })
  description: string | null;

  @BooleanColumn({ default: true })
  is_active: boolean;

  @JsonColumn({
    required: true,
    rules: [IsArray(), ArrayMinSize(1), ArrayMaxSize(MAX_ACTIONS), IsObject({ each: true })],
    api: {
      ...actionsSchema,
      description:
        'Actions of automations, done in this order by whoever applies the macro; when one fails nothing is done at all. Texts may hold variables such as `{{ticket.code}}`.',
    },
    shown: shownActionsSchema,
    example: [
      { type: 'add_comment', body: 'Hello {{requester.name}}, please restart it. Does {{ticket.code}} still happen?' },
      { type: 'add_tags', tags: 'restart' },
    ],
  })
  actions: Action[];

  @IntegerColumn({ min: 0, max: LAST_PLACE, description: 'Lower stands first; last unless given.' })
  position: number;

  @ComputedColumn({ type: 'integer', description: 'How often it was applied.' }, (alias) => `${alias}.use_count`)
  use_count: Computed<number>;

  @ComputedColumn({ type: 'string', format: 'date-time' }, (alias) => timestampText(`${alias}.last_used_at`), true)
  last_used_at: Computed<string | null>;
}
