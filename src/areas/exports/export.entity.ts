import { Column, Entity } from 'typeorm';
import {
  BooleanColumn,
  ComputedColumn,
  EnumColumn,
  StringColumn,
  StringsColumn,
  TimestampColumn,
} from '../../platform/columns/columns';
import { ResourceEntity } from '../../platform/resource/resource-entity';
import type { Computed, OneOf } from '../../platform/resource/rows';

export const EXPORT_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled', 'expired'] as const;

/** What an archive has of one resource, or of the files themselves. */
export interface Contents {
  files: number;
  records: number;
  /** Files whose content the store has lost. */
  lost?: number;
}

const readOnly = true;
const nullable = true;

/** Everything of a workspace as one archive: `.tar.gz`, a folder of NDJSON for each resource, the files, checksums and a manifest. */
@Entity('exports')
export class Export extends ResourceEntity {
  @EnumColumn(EXPORT_STATUSES, { default: 'queued', readOnly })
  status: OneOf<typeof EXPORT_STATUSES>;

  @StringsColumn({
    maxItems: 100,
    maxLength: 60,
    example: ['tickets', 'ticket_comments'],
    description: 'Names of the resources that are wanted; empty = all.',
  })
  resources: string[];

  @BooleanColumn({ default: true, description: 'Whether the files themselves come with the records of `attachments`.' })
  with_files: boolean;

  @ComputedColumn(
    { type: 'integer', minimum: 0, maximum: 100, description: 'Of the resources, in per cent.' },
    (e) =>
      `CASE WHEN ${e}.status IN ('completed', 'expired') THEN 100 ELSE least(99, ${e}.place * 100 / greatest(${e}.steps, 1)) END`,
  )
  progress: Computed<number>;

  @ComputedColumn(
    { type: 'integer', minimum: 0, description: 'Records that are in the archive.' },
    (e) => `${e}.records`,
  )
  record_count: Computed<number>;

  @ComputedColumn(
    { type: 'integer', format: 'int64', minimum: 0, description: 'Bytes of the archive.' },
    (e) => `${e}.bytes`,
  )
  size_bytes: Computed<number>;

  @StringColumn({ max: 1_000, nullable, readOnly })
  error: string | null;

  @TimestampColumn({ nullable, readOnly })
  started_at: string | null;

  @TimestampColumn({ nullable, readOnly })
  completed_at: string | null;

  @TimestampColumn({ nullable, readOnly, description: 'From then on the archive is gone.' })
  expires_at: string | null;

  /** How many steps there are, which of them is next, and the last id of it that is in the archive. */
  @Column({ type: 'integer' })
  steps: number;

  @Column({ type: 'integer' })
  place: number;

  @Column({ type: 'bigint' })
  after_id: number;

  /** Parts, bytes and records that are in the archive. */
  @Column({ type: 'integer' })
  parts: number;

  @Column({ type: 'bigint' })
  bytes: number;

  @Column({ type: 'bigint' })
  records: number;

  /** By the names of the resources. */
  @Column({ type: 'jsonb' })
  contents: Record<string, Contents>;

  /** When something was last added. */
  @Column({ type: 'timestamptz', precision: 3 })
  touched_at: string;
}
