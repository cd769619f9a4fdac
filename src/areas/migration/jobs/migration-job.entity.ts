import { Column, Entity } from 'typeorm';
import {
  ComputedColumn,
  EnumColumn,
  JsonColumn,
  ReferenceColumn,
  StringColumn,
  StringsColumn,
  TimestampColumn,
} from '../../../platform/columns/columns';
import { ResourceEntity } from '../../../platform/resource/resource-entity';
import type { Computed, OneOf } from '../../../platform/resource/rows';
import { mapOf } from '../mapping/map-of';
import { EntityMapping, MigrationOptions } from '../mapping/mapping.dto';
import { objectOf } from '../../../platform/validation/shapes';
import type { Place, Tally } from '../run/job-place';
import type { Validation } from '../run/validation';
import { ENDED, MIGRATION_STATUSES, MODES, SOURCES } from './migration-states';

const readOnly = true;
const nullable = true;
const count = { type: 'integer', minimum: 0 } as const;
const counts = { total: count, processed: count, created: count, updated: count, skipped: count, failed: count };
/** Of one entity; what waits, and what was made because others name it, is counted besides. */
const tally = { ...counts, pending: count, made: count };
const whole = {
  ...counts,
  pct: { type: 'integer', minimum: 0, maximum: 100 },
  eta_seconds: { type: 'integer', minimum: 0, nullable },
  by_entity: {
    type: 'object',
    additionalProperties: { type: 'object', required: Object.keys(tally), properties: tally },
  },
} as const;

const ENDED_SQL = ENDED.map((status) => `'${status}'`).join(', ');

/** Something is still to do below 100, unless the job has ended. */
const PROGRESS = (j: string): string =>
  `json_build_object('total', ${j}.total, 'processed', ${j}.processed,
    'created', (SELECT coalesce(sum((v.value ->> 'created')::bigint), 0) FROM jsonb_each(${j}.tally) v),
    'updated', (SELECT coalesce(sum((v.value ->> 'updated')::bigint), 0) FROM jsonb_each(${j}.tally) v),
    'skipped', (SELECT coalesce(sum((v.value ->> 'skipped')::bigint), 0) FROM jsonb_each(${j}.tally) v),
    'failed', (SELECT coalesce(sum((v.value ->> 'failed')::bigint), 0) FROM jsonb_each(${j}.tally) v),
    'pct', CASE WHEN ${j}.status IN ('completed', 'completed_with_errors') THEN 100 WHEN ${j}.total = 0 THEN 0
      ELSE least(CASE WHEN ${j}.status IN (${ENDED_SQL}) THEN 100 ELSE 99 END, ${j}.processed * 100 / ${j}.total) END,
    'eta_seconds', CASE WHEN ${j}.status = 'running' AND ${j}.processed > 0 THEN greatest(0, ${j}.total - ${j}.processed) * ${j}.active_ms / ${j}.processed / 1000 END,
    'by_entity', ${j}.tally)`.replaceAll(/\s+/g, ' ');

const FILES = (j: string): string =>
  `(SELECT coalesce(json_agg(json_build_object('entity', f.entity, 'filename', f.filename, 'bytes', f.bytes, 'sha256', f.sha256, 'format', f.format,
    'encoding', f.encoding) ORDER BY f.entity), '[]'::json) FROM migration_files f WHERE f.workspace_id = ${j}.workspace_id AND f.job_id = ${j}.id AND f.entity NOT LIKE 'files/%')`.replaceAll(
    /\s+/g,
    ' ',
  );

/** Records of another system that are brought in. What counts its progress is no part of its version. */
@Entity('migration_jobs')
export class MigrationJob extends ResourceEntity {
  @StringColumn({ max: 120, nullable, example: 'From the old desk' })
  name: string | null;

  @EnumColumn(SOURCES, {
    required: true,
    example: 'csv',
    description: '`api`: records are pushed. `archive`: an export of this service.',
  })
  source: OneOf<typeof SOURCES>;

  @EnumColumn(MIGRATION_STATUSES, { default: 'draft', readOnly })
  status: OneOf<typeof MIGRATION_STATUSES>;

  @EnumColumn(MODES, { default: 'dry_run', description: 'Nothing is written before it is `import`.' })
  mode: OneOf<typeof MODES>;

  @StringsColumn({
    maxItems: 20,
    maxLength: 60,
    example: ['contacts', 'tickets', 'ticket_comments'],
    description: 'What comes; all that there is unless given. Always in the order in which one needs the other.',
  })
  entities: string[];

  @JsonColumn({
    default: {},
    shape: mapOf(EntityMapping, 20),
    description: 'By entity: which field becomes which. What is not given is proposed when the job is validated.',
  })
  mapping: Record<string, EntityMapping>;

  @JsonColumn({ default: {}, shape: objectOf(MigrationOptions), description: 'How it is done.' })
  options: MigrationOptions;

  @JsonColumn({
    default: {},
    description:
      'Of a service: its address and what lets us in, by the `config_schema` of the source. A change names only what changes; null takes a setting away. ' +
      'Secrets read `********`, which sent back leaves them as they are; `<name>_set` tells whether there is one. They are forgotten 30 days after the end.',
    api: { type: 'object', additionalProperties: true, example: {} },
  })
  connection: Record<string, unknown>;

  @JsonColumn({
    nullable,
    readOnly,
    api: { type: 'object', additionalProperties: { type: 'string', format: 'date-time' } },
    description:
      'Of a service, by entity: only what changed since is asked for, because an earlier job has read the rest.',
  })
  since: Record<string, string> | null;

  @JsonColumn({
    nullable,
    readOnly,
    description: 'What was found when it was validated: fields, values that have no place yet, the first problems.',
  })
  validation: Validation | null;

  @ComputedColumn(
    {
      type: 'object',
      required: Object.keys(whole),
      properties: whole,
      description: 'How far it is.',
    },
    PROGRESS,
  )
  progress: Computed<object>;

  @ComputedColumn(
    {
      type: 'array',
      items: {
        type: 'object',
        required: ['entity', 'filename', 'bytes', 'sha256', 'format', 'encoding'],
        properties: {
          entity: { type: 'string' },
          filename: { type: 'string', nullable: true },
          bytes: { ...count, format: 'int64' },
          sha256: { type: 'string' },
          format: { type: 'string', enum: ['csv', 'ndjson', 'json'] },
          encoding: { type: 'string' },
        },
      },
      description: 'What was sent.',
    },
    FILES,
  )
  files: Computed<object[]>;

  @ReferenceColumn('users', { nullable, readOnly })
  created_by: number | null;

  @TimestampColumn({ nullable, readOnly })
  started_at: string | null;

  @TimestampColumn({ nullable, readOnly })
  finished_at: string | null;

  @StringColumn({ max: 1_000, nullable, readOnly })
  last_error: string | null;

  @TimestampColumn({ nullable, readOnly, description: 'Until then `POST …/rollback` takes everything back.' })
  rollback_available_until: string | null;

  /** Where it is: {@link Place}. Moves on with the records of a page, in one unit of work. */
  @Column({ type: 'jsonb' })
  place: Place;

  /** Pages that were done: whoever comes second with one is late. */
  @Column({ type: 'integer' })
  pages: number;

  /** All secrets of the connection in one sealed JSON text. */
  @Column({ type: 'text', nullable: true })
  sealed: string | null;

  /** Where the connection leads. */
  @Column({ type: 'text', nullable: true })
  origin: string | null;

  /** When the reading of a service began, by the time of the world; and by entity since when all of it was read. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  read_from: string | null;

  @Column({ type: 'jsonb' })
  read_until: Record<string, string>;

  @Column({ type: 'jsonb' })
  tally: Record<string, Tally>;

  @Column({ type: 'bigint' })
  total: number;

  @Column({ type: 'bigint' })
  processed: number;

  @Column({ type: 'bigint' })
  active_ms: number;

  @Column({ type: 'timestamptz', precision: 3 })
  touched_at: string;
}
