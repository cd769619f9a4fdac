import { Column, Entity, PrimaryColumn } from 'typeorm';
import {
  ComputedColumn,
  EnumColumn,
  IntegerColumn,
  JsonColumn,
  StringColumn,
  TimestampColumn,
} from '../../../platform/columns/columns';
import type { Computed } from '../../../platform/resource/rows';

const readOnly = true;
const id = { type: 'integer', format: 'int64' } as const;

const conditionSchema = {
  type: 'object' as const,
  required: ['field', 'operator', 'expected', 'actual', 'result'],
  properties: {
    field: { type: 'string' as const },
    operator: { type: 'string' as const },
    expected: {},
    actual: {},
    result: { type: 'boolean' as const },
  },
};

const actionSchema = {
  type: 'object' as const,
  required: ['type', 'status', 'before', 'after', 'error', 'duration_ms'],
  properties: {
    type: { type: 'string' as const },
    status: { type: 'string' as const, enum: ['done', 'unchanged', 'queued', 'stopped', 'failed', 'skipped'] },
    before: { type: 'object' as const, nullable: true, additionalProperties: true },
    after: { type: 'object' as const, nullable: true, additionalProperties: true },
    error: { type: 'string' as const, nullable: true },
    duration_ms: { type: 'integer' as const },
  },
};

/** What an automation made of an event: product reference 4.5. */
@Entity('automation_runs')
export class AutomationRun {
  @PrimaryColumn({ type: 'bigint' })
  @ComputedColumn(id, (run) => `${run}.id`)
  id: Computed<number>;

  @Column({ type: 'bigint' })
  workspace_id: number;

  @ComputedColumn(
    { ...id, description: 'Null for the actions of an escalation step of an SLA policy.' },
    (run) => `${run}.automation_id`,
    true,
  )
  automation_id: Computed<number | null>;

  @IntegerColumn({ readOnly, description: 'Version of the automation that was evaluated.' })
  automation_version: number;

  @StringColumn({ readOnly, max: 255 })
  automation_name: string;

  @ComputedColumn(id, (run) => `${run}.ticket_id`, true)
  ticket_id: Computed<number | null>;

  @StringColumn({ readOnly, max: 20, description: 'Kind of record that the event is about.', example: 'ticket' })
  object: string;

  @ComputedColumn(id, (run) => `${run}.object_id`)
  object_id: Computed<number>;

  @StringColumn({ readOnly, max: 100, example: 'ticket.created' })
  event: string;

  @StringColumn({ readOnly, nullable: true, max: 40, description: '`evt_…`; null for a schedule.' })
  event_id: string | null;

  @StringColumn({ readOnly, max: 200, description: 'The event that began the chain.' })
  root_event_id: string;

  @IntegerColumn({ readOnly, description: 'Automations between that event and this one; more than 5 start nothing.' })
  depth: number;

  @IntegerColumn({
    readOnly,
    description: 'Which attempt it was, from 1: what fails for a moment (a lock, a timeout) is done again.',
  })
  attempt: number;

  @EnumColumn(['executed', 'conditions_not_met', 'skipped', 'failed', 'partial'], { readOnly })
  status: string;

  @StringColumn({
    readOnly,
    nullable: true,
    max: 500,
    description: 'Why it was skipped, e.g. `depth`, `already_ran`, `delayed`, `merged`, `retry`; or what failed.',
  })
  reason: string | null;

  @JsonColumn({ readOnly, api: { type: 'array', items: conditionSchema } })
  conditions: unknown[];

  @JsonColumn({ readOnly, api: { type: 'array', items: actionSchema } })
  actions: unknown[];

  @TimestampColumn({ readOnly })
  started_at: string;

  @IntegerColumn({ readOnly })
  duration_ms: number;

  @TimestampColumn({ readOnly })
  created_at: string;
}
