import { WorkspacesAsRecords1765000000000 } from '../../../migrations/1765000000000-workspaces-as-records';
import { BrandWorkspaces1766200000000 } from '../../../migrations/1766200000000-brand-workspaces';
import { ZonesHaveNamesOfIana1768992000000 } from '../../../migrations/1768992000000-zones-have-names-of-iana';
import { defineArea } from '../../platform/area/area';
import { workspaceResource } from './workspace.resource';
import { WorkspaceModule } from './workspace.module';
import { workspacePersonal } from './workspace.personal';

/** The workspace itself: its name, zone, language, currency and rules. */
export const workspaceArea = defineArea({
  name: 'workspace',
  module: WorkspaceModule,
  resources: [workspaceResource],
  migrations: [WorkspacesAsRecords1765000000000, BrandWorkspaces1766200000000, ZonesHaveNamesOfIana1768992000000],
  permissions: [
    { name: 'workspace.read', description: 'See the workspace and its rules.', from: 'light_agent' },
    { name: 'workspace.update', description: 'Change the workspace and its rules.', from: 'admin' },
    { name: 'workspace.retention', description: 'Change how long closed tickets and logs are kept.', from: 'owner' },
  ],
  personal: workspacePersonal,
  tags: [
    {
      name: 'Workspace',
      place: 185,
      description: 'The workspace itself: its name, zone, language, currency and rules.',
    },
  ],
});
