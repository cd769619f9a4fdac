import { PartialType } from '@nestjs/swagger';
import { BodyOf, MembersOf } from '../../../platform/columns/bodies';
import { Role } from './role.entity';

const writable = ['name', 'description', 'permissions', 'ticket_scope', 'external_id', 'custom_fields'] as const;

@BodyOf(Role, writable)
export class CreateRole extends MembersOf(Role, writable, ['name']) {}

@BodyOf(Role, writable)
export class UpdateRole extends PartialType(CreateRole, { skipNullProperties: false }) {}
