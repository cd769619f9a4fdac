import { overlapFilter, throughView } from '../../platform/query/filters';
import { seenCount } from '../../platform/resource/read/sight';
import { defineResource } from '../../platform/resource/resource';
import { User } from './user.entity';

export const userResource = defineResource(User, {
  name: 'users',
  singular: 'user',
  table: 'users',
  sort: {
    name: { column: 'name', type: 'text' },
    email: { column: 'email', type: 'text' },
    role: { column: 'role', type: 'text' },
    last_login_at: { column: 'last_login_at', type: 'timestamptz', nullable: true },
  },
  filter: ['role', 'role_id', 'status', 'availability', 'source', 'email', 'manager_id'],
  where: {
    team_id: throughView(
      'users_search',
      overlapFilter((user) => `${user}.team_ids`, 'any', 'bigint'),
    ),
    skill: throughView(
      'users_search',
      overlapFilter((user) => `${user}.skills`, 'any'),
    ),
  },
  search: { view: 'users_search', over: ['name', 'email', 'title', 'texts of custom_fields'] },
  expand: { manager: { one: 'users', by: 'manager_id' }, custom_role: { one: 'roles', by: 'role_id' } },
  sight: {
    columns: {
      open_ticket_count: (sight, user) =>
        seenCount(
          'tickets',
          sight,
          user,
          (n) => `${n}.assigned_to = ${user}.id AND ${n}.status IN ('open', 'in_progress', 'on_hold')`,
        ),
    },
  },
  notice: { path: '/users', title: ['name'] },
  fields: 'users_fields',
});
