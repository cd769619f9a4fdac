import { Entity } from 'typeorm';
import { EnumColumn, StringColumn, StringsColumn } from '../../../platform/columns/columns';
import { REACHES } from '../../../platform/context/access';
import { ResourceEntity } from '../../../platform/resource/resource-entity';
import type { OneOf } from '../../../platform/resource/rows';

export const MAX_PERMISSIONS = 500;

/** A custom role: what a workspace lets some of its users do, in place of a built-in role. */
@Entity('roles')
export class Role extends ResourceEntity {
  @StringColumn({ required: true, max: 120, description: 'Unique, case aside.', example: 'Second line' })
  name: string;

  @StringColumn({ max: 2_000, nullable: true })
  description: string | null;

  @StringsColumn({
    maxItems: MAX_PERMISSIONS,
    maxLength: 100,
    lowerCase: true,
    description: 'As `GET /roles/permissions` lists them; nobody gives what they have not.',
    example: ['tickets.read', 'tickets.comment', 'tickets.reply'],
  })
  permissions: string[];

  @EnumColumn(REACHES, {
    default: 'all',
    description: 'Which tickets its users see: the narrower of this and their own `ticket_scope`.',
  })
  ticket_scope: OneOf<typeof REACHES>;
}
