import type { PersonalTable } from '../../platform/area/personal';

/** The rules of a workspace and what it looks like are about nobody. */
export const workspacePersonal: readonly PersonalTable[] = [
  {
    table: 'workspaces',
    free: [
      'slug',
      'name',
      'kind',
      'timezone',
      'locale',
      'currency',
      'settings',
      'logo',
      'external_id',
      'custom_fields',
    ],
  },
  { table: 'workspace_logos', key: ['workspace_id'], free: ['content'] },
];
