import { Column, Entity } from 'typeorm';
import {
  ComputedColumn,
  EnumColumn,
  IntegerColumn,
  ReferenceColumn,
  ReferencesColumn,
  StringColumn,
  TimestampColumn,
} from '../../../platform/columns/columns';
import { ResourceEntity } from '../../../platform/resource/resource-entity';
import type { Computed, OneOf } from '../../../platform/resource/rows';
import { MAX_TEAMS } from '../connections/role-mapping';
import { GROUP_SCOPES, GROUP_TYPES, MAPPED_ROLES } from '../engine/objects';

export const GROUP_SYNC_STATUSES = ['synced', 'missing', 'deleted_in_source'] as const;

const readOnly = true;
const nullable = true;

/** A group as a directory was last known to have it; what its members are here can be said of it. */
@Entity('directory_groups')
export class DirectoryGroup extends ResourceEntity {
  @ReferenceColumn('directory_connections', { readOnly })
  connection_id: number;

  @StringColumn({ max: 255, readOnly })
  object_guid: string;

  @StringColumn({ max: 2_048, nullable, readOnly })
  distinguished_name: string | null;

  @StringColumn({ max: 255, readOnly })
  name: string;

  @StringColumn({ max: 1_024, nullable, readOnly })
  description: string | null;

  @EnumColumn(GROUP_SCOPES, {
    nullable,
    readOnly,
    description: 'Where it may be named; null where the directory does not tell.',
  })
  scope: OneOf<typeof GROUP_SCOPES> | null;

  @EnumColumn(GROUP_TYPES, {
    nullable,
    readOnly,
    description: 'What it is for; null where the directory does not tell.',
  })
  type: OneOf<typeof GROUP_TYPES> | null;

  @IntegerColumn({ default: 0, readOnly, description: 'People and groups that are members themselves.' })
  member_count: number;

  @ComputedColumn(
    { type: 'array', description: 'Groups that are members.', items: { type: 'integer', format: 'int64' } },
    (group) =>
      `(SELECT coalesce(json_agg(n.id ORDER BY n.id), '[]'::json) FROM directory_members m JOIN directory_groups n ON n.workspace_id = m.workspace_id AND n.connection_id = m.connection_id AND n.object_guid = m.member_guid WHERE m.workspace_id = ${group}.workspace_id AND m.group_id = ${group}.id)`,
  )
  nested_group_ids: Computed<number[]>;

  @EnumColumn(MAPPED_ROLES, {
    nullable,
    example: 'agent',
    description: 'What its members are here, those of groups within it among them.',
  })
  mapped_role: OneOf<typeof MAPPED_ROLES> | null;

  @ReferencesColumn('teams', { max: MAX_TEAMS, description: 'Teams that they are put into.' })
  mapped_team_ids: number[];

  @EnumColumn(GROUP_SYNC_STATUSES, { default: 'synced', readOnly })
  sync_status: OneOf<typeof GROUP_SYNC_STATUSES>;

  @IntegerColumn({ default: 0, readOnly })
  missing_runs: number;

  @TimestampColumn({ nullable, readOnly })
  last_synced_at: string | null;

  /** By what references find it, beside the guid. */
  @Column({ type: 'text', nullable: true })
  name_key: string | null;

  /** The last run that changed it. */
  @Column({ type: 'bigint', nullable: true })
  run_id: number | null;
}
