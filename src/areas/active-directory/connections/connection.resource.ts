import { defineResource } from '../../../platform/resource/resource';
import { DirectoryConnection } from './connection.entity';

export const connectionResource = defineResource(DirectoryConnection, {
  name: 'directory_connections',
  singular: 'directory_connection',
  table: 'directory_connections',
  sort: {},
  filter: ['type', 'status'],
  search: { view: 'directory_connections_search', over: ['name', 'texts of custom_fields'] },
});
