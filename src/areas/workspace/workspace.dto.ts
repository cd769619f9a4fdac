import { PartialType } from '@nestjs/swagger';
import { BodyOf, MembersOf } from '../../platform/columns/bodies';
import { Workspace } from './workspace.entity';

const writable = ['name', 'timezone', 'locale', 'currency', 'settings', 'external_id', 'custom_fields'] as const;

@BodyOf(Workspace, writable)
export class UpdateWorkspace extends PartialType(MembersOf(Workspace, writable, ['name']), {
  skipNullProperties: false,
}) {}
