import { Column, Entity } from 'typeorm';
import {
  BooleanColumn,
  ComputedColumn,
  EnumColumn,
  IntegerColumn,
  JsonColumn,
  ReferenceColumn,
  StringColumn,
  TimestampColumn,
} from '../../../platform/columns/columns';
import { type Failure, failureSchema } from '../../../platform/columns/failure';
import { ResourceEntity } from '../../../platform/resource/resource-entity';
import type { Computed, OneOf } from '../../../platform/resource/rows';
import type { Applied, AppliedContact } from '../engine/objects';

export const LINK_STATUSES = ['linked', 'unlinked', 'conflict', 'ignored'] as const;
export const SYNC_STATUSES = ['synced', 'pending', 'error', 'missing', 'deleted_in_source'] as const;

const readOnly = true;
const nullable = true;
const Text = (max: number, description?: string): PropertyDecorator =>
  StringColumn({ max, nullable, readOnly, ...(description ? { description } : {}) });

/** Somebody as a directory was last known to have them. What the directory says is changed by runs alone. */
@Entity('directory_users')
export class DirectoryUser extends ResourceEntity {
  @ReferenceColumn('directory_connections', { readOnly })
  connection_id: number;

  @StringColumn({
    max: 255,
    readOnly,
    description: 'What they are known by, wherever they move and whatever they are called.',
  })
  object_guid: string;

  @Text(2_048)
  distinguished_name: string | null;

  @Text(255, '`sAMAccountName`, or the name that they sign in with.')
  username: string | null;

  @Text(255)
  user_principal_name: string | null;

  @Text(254)
  email: string | null;

  @StringColumn({ max: 255, readOnly })
  display_name: string;

  @Text(255)
  given_name: string | null;

  @Text(255)
  surname: string | null;

  @Text(255)
  title: string | null;

  @Text(255)
  department: string | null;

  @Text(255)
  office: string | null;

  @Text(255)
  phone: string | null;

  @Text(255)
  mobile: string | null;

  @Text(255, '`object_guid` of the manager.')
  manager_guid: string | null;

  @BooleanColumn({ default: true, readOnly })
  enabled: boolean;

  @BooleanColumn({ default: false, readOnly })
  locked: boolean;

  @ReferenceColumn('users', { nullable, readOnly, description: 'Who they are here.' })
  user_id: number | null;

  @ReferenceColumn('contacts', {
    nullable,
    readOnly,
    description: 'The contact that they are, where no mapping makes a user of them.',
  })
  contact_id: number | null;

  @EnumColumn(LINK_STATUSES, { default: 'unlinked', readOnly })
  link_status: OneOf<typeof LINK_STATUSES>;

  @Text(40, 'The role that the groups give; null where none does.')
  mapped_role: string | null;

  @EnumColumn(SYNC_STATUSES, {
    default: 'synced',
    readOnly,
    description: '`missing`: the last full run did not find them; when the next one does not either, they are gone.',
  })
  sync_status: OneOf<typeof SYNC_STATUSES>;

  @IntegerColumn({ default: 0, readOnly, description: 'Full runs in a row that did not find them.' })
  missing_runs: number;

  @ComputedColumn(
    {
      type: 'array',
      description: 'Groups that they are a member of themselves.',
      items: { type: 'integer', format: 'int64' },
    },
    (user) =>
      `(SELECT coalesce(json_agg(m.group_id ORDER BY m.group_id), '[]'::json) FROM directory_members m WHERE m.workspace_id = ${user}.workspace_id AND m.connection_id = ${user}.connection_id AND m.member_guid = ${user}.object_guid)`,
  )
  group_ids: Computed<number[]>;

  @ReferenceColumn('attachments', {
    nullable,
    readOnly,
    description: 'Their photo, which is the picture of their user.',
  })
  photo_id: number | null;

  @Text(40, 'Why the photo that the directory has was not taken: `too_large`, `no_picture`, `infected`, `quota`.')
  photo_problem: string | null;

  @JsonColumn({
    nullable,
    readOnly,
    api: failureSchema,
  })
  last_error: Failure | null;

  @TimestampColumn({ nullable, readOnly, description: 'When something of it was last taken over.' })
  last_synced_at: string | null;

  @TimestampColumn({ nullable, readOnly })
  when_created: string | null;

  @TimestampColumn({ nullable, readOnly })
  when_changed: string | null;

  /** What was last written to the user because the directory said so. */
  @Column({ type: 'jsonb', nullable: true })
  applied: Applied | null;

  /** The same of the contact. */
  @Column({ type: 'jsonb', nullable: true })
  contact_applied: AppliedContact | null;

  /** By what references find it, beside the guid. */
  @Column({ type: 'text', nullable: true })
  name_key: string | null;

  /** SHA-256 of the photo that was last looked at; null where there was none. */
  @Column({ type: 'text', nullable: true })
  photo_digest: string | null;

  /** The state of the entry whose photo was looked at, or is to be. */
  @Column({ type: 'text', nullable: true })
  photo_seen: string | null;

  /** The photo may be another one. */
  @Column({ type: 'boolean' })
  photo_due: boolean;

  /** The last run that changed it. */
  @Column({ type: 'bigint', nullable: true })
  run_id: number | null;
}
