import type { FilterSpec } from '../../../platform/query/filters';
import { idOr, recordId } from '../../../platform/query/values';
import { defineResource } from '../../../platform/resource/resource';
import { DirectoryUser } from './directory-user.entity';

/** Members of a group; nested: of groups within it, too. `$1` is the workspace. Two directories may have the same guid. */
const memberOf = (isNested: boolean): FilterSpec<number> => ({
  schema: idOr([]),
  description: `Id of a group: its members${isNested ? ', and those of groups within it' : ''}.`,
  parse: recordId,
  sql: (user, group, bind) => {
    const id = `${bind(group)}::bigint`;
    const isOfConnection = `${user}.connection_id = (SELECT g.connection_id FROM directory_groups g WHERE g.workspace_id = $1 AND g.id = ${id})`;
    if (!isNested)
      return `${user}.object_guid IN (SELECT m.member_guid FROM directory_members m WHERE m.workspace_id = $1 AND m.group_id = ${id}) AND ${isOfConnection}`;
    const nested = `WITH RECURSIVE inside AS (
        SELECT g.id, g.workspace_id, g.connection_id FROM directory_groups g WHERE g.workspace_id = $1 AND g.id = ${id}
        UNION SELECT n.id, n.workspace_id, n.connection_id FROM inside i
          JOIN directory_members m ON m.workspace_id = i.workspace_id AND m.group_id = i.id
          JOIN directory_groups n ON n.workspace_id = m.workspace_id AND n.connection_id = m.connection_id AND n.object_guid = m.member_guid)
      SELECT m.member_guid FROM inside i JOIN directory_members m ON m.workspace_id = i.workspace_id AND m.group_id = i.id`;
    return `${user}.object_guid IN (${nested.replaceAll(/\s+/g, ' ')}) AND ${isOfConnection}`;
  },
});

export const directoryUserResource = defineResource(DirectoryUser, {
  name: 'directory_users',
  singular: 'directory_user',
  table: 'directory_users',
  sort: {
    display_name: { column: 'display_name', type: 'text' },
    last_synced_at: { column: 'last_synced_at', type: 'timestamptz', nullable: true },
  },
  filter: [
    'connection_id',
    'enabled',
    'link_status',
    'sync_status',
    'department',
    'email',
    'username',
    'user_id',
    'contact_id',
    'mapped_role',
    'object_guid',
  ],
  where: { group_id: memberOf(false), nested_group_id: memberOf(true) },
  search: { view: 'directory_users_search', over: ['display_name', 'email', 'username', 'department'] },
  expand: {
    user: { one: 'users', by: 'user_id' },
    contact: { one: 'contacts', by: 'contact_id' },
    connection: { one: 'directory_connections', by: 'connection_id' },
    photo: { one: 'attachments', by: 'photo_id' },
  },
});
