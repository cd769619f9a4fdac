import { defineResource } from '../../../platform/resource/resource';
import { DirectoryGroup } from './directory-group.entity';

export const directoryGroupResource = defineResource(DirectoryGroup, {
  name: 'directory_groups',
  singular: 'directory_group',
  table: 'directory_groups',
  sort: { name: { column: 'name', type: 'text' } },
  filter: ['connection_id', 'sync_status', 'mapped_role', 'object_guid', 'scope', 'type'],
  search: { view: 'directory_groups_search', over: ['name', 'description'] },
  expand: { connection: { one: 'directory_connections', by: 'connection_id' } },
});
