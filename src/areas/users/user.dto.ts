import { PartialType } from '@nestjs/swagger';
import { BodyOf, MembersOf } from '../../platform/resource/resource-entity';
import { User } from './user.entity';

const writable = [
  'name',
  'email',
  'role',
  'status',
  'title',
  'phone',
  'avatar_url',
  'signature',
  'timezone',
  'locale',
  'team_ids',
  'skills',
  'ticket_scope',
  'availability',
  'out_of_office',
  'schedule',
  'max_open_tickets',
  'manager_id',
  'external_id',
  'custom_fields',
] as const;

@BodyOf(User, writable)
export class CreateUser extends MembersOf(User, writable, ['name', 'email']) {}

@BodyOf(User, writable)
export class UpdateUser extends PartialType(CreateUser, { skipNullProperties: false }) {}
