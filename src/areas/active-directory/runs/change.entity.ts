import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import {
  ComputedColumn,
  EnumColumn,
  JsonColumn,
  ReferenceColumn,
  StringColumn,
  TimestampColumn,
} from '../../../platform/columns/columns';
import { type Failure, failureSchema } from '../../../platform/columns/failure';
import type { Computed, OneOf } from '../../../platform/resource/rows';
import { ACTIONS, type PlannedChange, RESULTS } from '../engine/plan';

const readOnly = true;
const nullable = true;
const anything = { type: 'object', additionalProperties: true } as const;
export const OBJECTS = ['user', 'contact', 'group'] as const;

/** What a run does about one object of the directory, and what came of it. Kept as long as the run. */
@Entity('directory_changes')
export class DirectoryChange {
  @PrimaryGeneratedColumn({ type: 'bigint' })
  @ComputedColumn({ type: 'integer', format: 'int64' }, (change) => `${change}.id`)
  id: Computed<number>;

  @Column({ type: 'bigint' })
  workspace_id: number;

  @Column({ type: 'integer' })
  version: number;

  @ReferenceColumn('directory_runs', { readOnly })
  run_id: number;

  @EnumColumn(OBJECTS, { readOnly, description: '`contact`: somebody without a mapping, who is a contact here.' })
  object: OneOf<typeof OBJECTS>;

  @StringColumn({
    max: 255,
    readOnly,
    description: 'Of the object in the directory; empty where not even that could be read.',
  })
  object_guid: string;

  @StringColumn({ max: 255, readOnly })
  name: string;

  @EnumColumn(ACTIONS, { readOnly, description: '`none`: nothing happens to a user or contact; `error` says why.' })
  action: OneOf<typeof ACTIONS>;

  @EnumColumn(RESULTS, { readOnly, description: '`planned`: not done, or not yet. `failure`: it changed nothing.' })
  result: OneOf<typeof RESULTS>;

  @ReferenceColumn('users', { nullable, readOnly })
  user_id: number | null;

  @JsonColumn({ nullable, readOnly, description: 'What was in the place of `after`.', api: anything })
  before: Record<string, unknown> | null;

  @JsonColumn({
    nullable,
    readOnly,
    description:
      'What the directory says now, where that is new; `user`: what becomes of the user; `contact`: of the contact.',
    api: anything,
  })
  after: Record<string, unknown> | null;

  @JsonColumn({
    nullable,
    readOnly,
    api: failureSchema,
  })
  error: Failure | null;

  @TimestampColumn({ readOnly })
  created_at: string;

  @TimestampColumn({ nullable, readOnly })
  applied_at: string | null;

  /** All that is needed to do it. */
  @Column({ type: 'jsonb', nullable: true })
  plan: PlannedChange | null;
}
