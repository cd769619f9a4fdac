import { defineResource } from '../../../platform/resource/resource';
import { DirectoryChange } from './change.entity';

export const changeResource = defineResource(DirectoryChange, {
  name: 'directory_changes',
  singular: 'directory_change',
  table: 'directory_changes',
  sort: {},
  defaultSort: 'id',
  filter: ['object', 'action', 'result', 'object_guid', 'user_id'],
  expand: { user: { one: 'users', by: 'user_id' } },
  log: true,
  told: null,
});
