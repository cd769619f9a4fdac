import { defineArea } from '../../platform/area/area';
import { SandboxAreaModule } from './sandbox.module';

/** Workspaces for trying things out: what time it is there, and beginning anew. */
export const sandboxArea = defineArea({
  name: 'sandbox',
  module: SandboxAreaModule,
  permissions: [
    { name: 'sandbox.read', description: 'See what time it is in the workspace.', from: 'light_agent' },
    { name: 'sandbox.update', description: 'Move the clock of the sandbox, and reset it.', from: 'admin' },
  ],
  tags: [
    {
      name: 'Sandbox',
      place: 187,
      description: 'Workspaces for trying things out: what time it is there, and beginning anew.',
    },
  ],
});
