import { Column, Entity, PrimaryColumn } from 'typeorm';
import {
  ComputedColumn,
  EnumColumn,
  IntegerColumn,
  JsonColumn,
  LooseIdColumn,
  ReferenceColumn,
  StringColumn,
  StringsColumn,
  TimestampColumn,
} from '../../../platform/columns/columns';
import type { Computed, OneOf } from '../../../platform/resource/rows';
import type { Matched } from '../mapping/mapping.dto';
import { RECORD_STATUSES } from '../jobs/migration-states';

const readOnly = true;
const nullable = true;

/** A record of the source, and what became of it. */
@Entity('migration_records')
export class MigrationRecord {
  @PrimaryColumn({ type: 'bigint' })
  @ComputedColumn({ type: 'integer', format: 'int64' }, (record) => `${record}.id`)
  id: Computed<number>;

  @Column({ type: 'bigint' })
  workspace_id: number;

  @Column({ type: 'integer' })
  version: number;

  @ReferenceColumn('migration_jobs', { readOnly })
  job_id: number;

  @StringColumn({ max: 60, readOnly, example: 'tickets', description: 'The resource that it became one of.' })
  entity: string;

  @StringColumn({
    max: 255,
    readOnly,
    description: 'What it is known by in the source; of rows without an id what they say.',
  })
  external_id: string;

  @EnumColumn(RECORD_STATUSES, {
    readOnly,
    description:
      '`updated`: it was here already, and is what the source says now. `skipped`: it was here already, and stays as it is. `pending`: it waits for its turn.',
  })
  status: OneOf<typeof RECORD_STATUSES>;

  @StringColumn({
    max: 2_048,
    nullable,
    readOnly,
    example: 'https://acme.zendesk.com/agent/tickets/17',
    description: 'Where people read it in the source, as far as that is known. Nobody asks it.',
  })
  source_url: string | null;

  @LooseIdColumn({ nullable, readOnly, description: 'Id of the record here.' })
  local_id: number | null;

  @EnumColumn(['email', 'code'], {
    nullable,
    readOnly,
    description: 'It was here before, and is taken for the same by this (`options.match_by`).',
  })
  matched_by: Matched | null;

  @IntegerColumn({ nullable, readOnly, description: 'Line of the file.' })
  line: number | null;

  @IntegerColumn({ readOnly, min: 0 })
  attempts: number;

  @JsonColumn({
    nullable,
    readOnly,
    api: {
      type: 'object',
      required: ['code', 'field', 'message', 'retryable'],
      properties: {
        code: { type: 'string' },
        field: { type: 'string', nullable: true },
        message: { type: 'string' },
        retryable: { type: 'boolean' },
      },
    },
    description: 'Why it failed, or what it waits for.',
  })
  error: object | null;

  @StringsColumn({ maxItems: 100, maxLength: 500, readOnly, description: 'What was changed so that it could come in.' })
  warnings: string[];

  @JsonColumn({
    nullable,
    readOnly,
    description: 'What the source says, of a record that failed or waits; for 30 days.',
  })
  payload: object | null;

  @JsonColumn({
    nullable,
    readOnly,
    api: { type: 'object', additionalProperties: { type: 'object', properties: { from: {}, to: {} } } },
    description: 'Of an update: from and to of every column; for as long as it can be rolled back.',
  })
  changes: object | null;

  @TimestampColumn({ readOnly })
  processed_at: string;

  @TimestampColumn({ readOnly })
  created_at: string;
}
