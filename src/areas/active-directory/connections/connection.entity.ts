import { Column, Entity } from 'typeorm';
import {
  BooleanColumn,
  EnumColumn,
  IntegerColumn,
  JsonColumn,
  StringColumn,
  TimestampColumn,
} from '../../../platform/columns/columns';
import { type Failure, failureSchema } from '../../../platform/columns/failure';
import { ResourceEntity } from '../../../platform/resource/resource-entity';
import type { OneOf } from '../../../platform/resource/rows';
import { KIND_NAMES, type KindName } from './connection-kinds';
import { type RoleMapping, roleMappingsShape, type SafetyLimits, safetyShape, USUAL_SAFETY } from './role-mapping';

export const CONNECTION_STATUSES = ['active', 'disabled', 'error', 'quarantined'] as const;
export const WITHOUT_MAPPING = ['skip', 'light_agent', 'agent', 'contact'] as const;
export const DEPROVISIONING = ['deactivate', 'suspend', 'none'] as const;

const readOnly = true;
const nullable = true;

/** A directory that says who works here. */
@Entity('directory_connections')
export class DirectoryConnection extends ResourceEntity {
  @EnumColumn(KIND_NAMES, {
    required: true,
    example: 'json',
    description:
      '`json`: the objects are sent to `POST /active-directory/import`; `ldap`, `entra_id`: they are read; `scim`: a client tells them, by SCIM 2.0. Never changes.',
  })
  type: KindName;

  @StringColumn({ required: true, max: 120, description: 'Unique, case aside.', example: 'Branch office' })
  name: string;

  @EnumColumn(CONNECTION_STATUSES, {
    default: 'active',
    description:
      'Write `active` or `disabled`. `error`: the last run failed. `quarantined`: three runs in a row did, or one waits for approval; nothing runs by itself then.',
  })
  status: OneOf<typeof CONNECTION_STATUSES>;

  @JsonColumn({
    default: {},
    description:
      'Settings by the type. A change names only what changes; null takes a setting away. Secrets read `********`, which sent back leaves them as they are; `<name>_set` tells whether there is one.',
    api: { type: 'object', additionalProperties: true },
  })
  config: Record<string, unknown>;

  @JsonColumn({
    default: [],
    shape: roleMappingsShape,
    description: 'What the members of which groups are here; replaced as a whole. Groups can say it themselves, too.',
    example: [{ group: 'CN=Helpdesk,OU=Groups,DC=acme,DC=example', role: 'agent' }],
  })
  role_mappings: RoleMapping[];

  @EnumColumn(WITHOUT_MAPPING, {
    default: 'skip',
    description:
      'What becomes of people in none of those groups. `contact`: they are customers, who ask and have no access.',
  })
  users_without_mapping: OneOf<typeof WITHOUT_MAPPING>;

  @EnumColumn(DEPROVISIONING, {
    default: 'deactivate',
    description:
      'What becomes of users who are disabled or gone in the directory, or in no mapped group any more. Contacts who are disabled or gone are blocked, unless it is `none`.',
  })
  deprovision: OneOf<typeof DEPROVISIONING>;

  @BooleanColumn({ default: true, description: 'Roles that were given here stay, whatever the groups say.' })
  preserve_manual_roles: boolean;

  @IntegerColumn({ nullable, min: 5, max: 10_080, description: 'Minutes between runs; null = none by themselves.' })
  schedule_minutes: number | null;

  @IntegerColumn({ default: 24, min: 1, max: 720, description: 'Hours after which a run reads everything again.' })
  full_sync_hours: number;

  @JsonColumn({
    default: USUAL_SAFETY,
    shape: safetyShape,
    description:
      'A run by which more people would lose access waits for approval. One alone never does for the share. Replaced as a whole.',
  })
  safety: SafetyLimits;

  @JsonColumn({
    nullable,
    readOnly,
    description: 'How far the directory was read.',
    api: { type: 'object', additionalProperties: true },
  })
  cursor: Record<string, unknown> | null;

  @IntegerColumn({ default: 0, readOnly, description: 'Failed runs in a row.' })
  failure_count: number;

  @JsonColumn({
    nullable,
    readOnly,
    api: failureSchema,
  })
  last_error: Failure | null;

  @TimestampColumn({ nullable, readOnly })
  last_sync_at: string | null;

  @TimestampColumn({ nullable, readOnly })
  last_full_sync_at: string | null;

  @TimestampColumn({ nullable, readOnly })
  next_sync_at: string | null;

  /** The token of the client that speaks SCIM, and the one before it, which may be good for a while. */
  @Column({ type: 'bigint', nullable: true })
  token_id: number | null;

  @Column({ type: 'bigint', nullable: true })
  former_token_id: number | null;

  /** All secrets of the settings in one sealed JSON text. */
  @Column({ type: 'text', nullable: true })
  sealed: string | null;
}
