import { defineResource } from '../../platform/resource/resource';
import { Workspace } from './workspace.entity';

/** There is one, which no list shows. */
export const workspaceResource = defineResource(Workspace, {
  name: 'workspaces',
  singular: 'workspace',
  table: 'workspaces',
  sort: {},
  filter: [],
});
