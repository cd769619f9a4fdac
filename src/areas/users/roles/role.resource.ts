import { overlapFilter } from '../../../platform/query/filters';
import { defineResource } from '../../../platform/resource/resource';
import { Role } from './role.entity';

export const roleResource = defineResource(Role, {
  name: 'roles',
  singular: 'role',
  table: 'roles',
  sort: { name: { column: 'name', type: 'text' } },
  filter: ['ticket_scope'],
  where: { permission: overlapFilter((role) => `${role}.permissions`, 'any') },
  search: { view: 'roles_search', over: ['name', 'description', 'texts of custom_fields'] },
  expand: { users: { many: 'users', by: 'role_id', limit: 100, order: 'created_at' } },
  notice: { path: '/roles', title: ['name'] },
});
