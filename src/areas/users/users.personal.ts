import { type PersonalTable, RESOURCE_TEXTS } from '../../platform/area/personal';

/** Those who help are not erased with those who asked: what they are called and wrote of themselves is the workspace's. */
export const usersPersonal: readonly PersonalTable[] = [
  {
    table: 'users',
    free: [
      'external_id',
      'custom_fields',
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
      'skills',
      'ticket_scope',
      'availability',
      'out_of_office',
      'source',
      'schedule',
      'notifications',
    ],
  },
  { table: 'roles', texts: [...RESOURCE_TEXTS, 'name', 'description'], free: ['permissions', 'ticket_scope'] },
];
