import { type PersonalTable, RESOURCE_TEXTS } from '../../platform/area/personal';

/**
 * Who works here according to a directory: like users, they are not erased with those who asked; what the directory says of them would
 * be back with its next run anyway.
 */
export const activeDirectoryPersonal: readonly PersonalTable[] = [
  {
    table: 'directory_connections',
    texts: [...RESOURCE_TEXTS, 'name'],
    free: [
      ...['type', 'status', 'config', 'sealed', 'role_mappings', 'users_without_mapping', 'deprovision', 'safety'],
      ...['cursor', 'last_error'],
    ],
  },
  {
    table: 'directory_runs',
    texts: RESOURCE_TEXTS,
    free: ['mode', 'trigger', 'status', 'counts', 'cursor_before', 'cursor_after', 'approval', 'error', 'compared'],
  },
  {
    table: 'directory_users',
    free: [
      ...[
        'external_id',
        'custom_fields',
        'object_guid',
        'distinguished_name',
        'username',
        'user_principal_name',
        'email',
      ],
      ...['display_name', 'given_name', 'surname', 'title', 'department', 'office', 'phone', 'mobile', 'manager_guid'],
      ...['link_status', 'mapped_role', 'sync_status', 'applied', 'contact_applied', 'last_error', 'name_key'],
      ...['photo_problem', 'photo_digest', 'photo_seen'],
    ],
  },
  {
    table: 'directory_groups',
    texts: RESOURCE_TEXTS,
    free: [
      'object_guid',
      'distinguished_name',
      'name',
      'description',
      'scope',
      'type',
      'mapped_role',
      'sync_status',
      'name_key',
    ],
  },
  { table: 'directory_members', free: ['member_guid', 'reference_key'] },
  {
    table: 'directory_changes',
    free: ['object', 'object_guid', 'name', 'action', 'result', 'before', 'after', 'error', 'plan'],
  },
  { table: 'directory_parts', free: ['content'] },
  { table: 'directory_photos', free: ['object_guid', 'content'] },
  {
    table: 'scim_resources',
    free: ['id', 'kind', 'name', 'name_key', 'external_id', 'email_key', 'content', 'folded'],
  },
  { table: 'scim_members', free: ['group_id', 'member_id'] },
];
