import { ArrayMaxSize, ArrayMinSize, IsArray, IsObject } from 'class-validator';
import { Column, Entity } from 'typeorm';
import type { Action } from '../../platform/area/rules';
import type { Conditions } from '../../platform/conditions/condition';
import { conditionsSchema, shownConditionsSchema } from '../../platform/conditions/conditions-schema';
import { timestampText } from '../../platform/columns/column-spec';
import {
  BooleanColumn,
  ComputedColumn,
  IntegerColumn,
  JsonColumn,
  StringColumn,
  TextColumn,
} from '../../platform/columns/columns';
import { LAST_PLACE } from '../../platform/resource/last-place';
import { ResourceEntity } from '../../platform/resource/resource-entity';
import { actionsSchema, MAX_ACTIONS, shownActionsSchema } from './automation.schemas';
import { SHOWN_TRIGGER, TRIGGER } from './triggers';
import type { Trigger } from './engine/rule';
import type { Computed } from '../../platform/resource/rows';

/** Most minutes that a rule may wait before it looks at the ticket: 30 days. */
const MAX_DELAY_MINUTES = 43_200;

/**
 * A rule: when something happens, if conditions hold, do things (product reference 4.2). What the engine keeps in the row
 * (`run_count` and the like) is read as computed columns: it is no part of the record's version, and a client may send
 * back a record that has run in the meantime.
 */
@Entity('automations')
export class Automation extends ResourceEntity {
  @StringColumn({ required: true, max: 255, example: 'Escalate urgent tickets of VIPs' })
  name: string;

  @TextColumn({ max: 4_000, nullable: true })
  description: string | null;

  @BooleanColumn({ default: true, description: '`true` on a suspended automation resumes it.' })
  is_active: boolean;

  @IntegerColumn({ min: 0, max: LAST_PLACE, description: 'Lower runs first; last unless given.', example: 1 })
  position: number;

  @BooleanColumn({ default: false, description: 'No later automation looks at an event that this one acted on.' })
  stop_processing: boolean;

  @JsonColumn({
    required: true,
    shape: TRIGGER,
    shown: SHOWN_TRIGGER,
    description: 'The name of an event, or an object.',
    example: 'ticket.created',
  })
  trigger: Trigger;

  @JsonColumn({ default: {}, rules: [IsObject()], api: conditionsSchema, shown: shownConditionsSchema })
  conditions: Conditions;

  @JsonColumn({
    required: true,
    rules: [IsArray(), ArrayMinSize(1), ArrayMaxSize(MAX_ACTIONS), IsObject({ each: true })],
    api: actionsSchema,
    shown: shownActionsSchema,
  })
  actions: Action[];

  @BooleanColumn({ default: false, description: 'Acts at most once on each ticket, for ever.' })
  run_once_per_ticket: boolean;

  @IntegerColumn({
    min: 0,
    max: MAX_DELAY_MINUTES,
    default: 0,
    description: 'Minutes between the event and the evaluation of the conditions.',
  })
  delay_minutes: number;

  @BooleanColumn({ default: false, description: 'Outside the business hours of the workspace it waits for them.' })
  only_in_business_hours: boolean;

  @ComputedColumn({ type: 'integer', description: 'Runs that acted.' }, (alias) => `${alias}.run_count`)
  run_count: Computed<number>;

  @ComputedColumn({ type: 'string', format: 'date-time' }, (alias) => timestampText(`${alias}.last_run_at`), true)
  last_run_at: Computed<string | null>;

  @ComputedColumn({ type: 'string', description: 'What went wrong last.' }, (alias) => `${alias}.last_error`, true)
  last_error: Computed<string | null>;

  @ComputedColumn({ type: 'string', format: 'date-time' }, (alias) => timestampText(`${alias}.suspended_at`), true)
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  suspended_at: string | null;

  @ComputedColumn(
    { type: 'string', description: 'Why it was suspended: it ran too often.' },
    (alias) => `${alias}.suspended_reason`,
    true,
  )
  @Column({ type: 'text', nullable: true })
  suspended_reason: string | null;
}
