import { PartialType } from '@nestjs/swagger';
import { IdParameter } from '../../platform/query/members';
import { BodyOf, MembersOf } from '../../platform/columns/bodies';
import { User } from './user.entity';

const writable = [
  'name',
  'email',
  'role',
  'role_id',
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
  'notifications',
  'max_open_tickets',
  'manager_id',
  'external_id',
  'custom_fields',
] as const;

@BodyOf(User, writable)
export class CreateUser extends MembersOf(User, writable, ['name', 'email']) {}

@BodyOf(User, writable)
export class UpdateUser extends PartialType(CreateUser, { skipNullProperties: false }) {}

/** Parameters of `DELETE /users/{id}`. */
export class RemoveUser {
  @IdParameter({
    description:
      'Who takes over the open tickets and the meetings ahead: the id of an active user, who must be free for the meetings; `none`, which meetings do not take; or `team`: right after the call each ticket goes by the rule of its team, else to who has least to do, and each meeting to a host of its type who is free. Needed when there are any.',
    names: 'a user',
    none: true,
    words: ['team'],
  })
  reassign_to?: number | 'team' | null;
}
