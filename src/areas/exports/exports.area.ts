import { CreateExports1765396000000 } from '../../../migrations/1765396000000-create-exports';
import { defineArea } from '../../platform/area/area';
import { usualPermissions } from '../../platform/context/permission-table';
import { exportResource } from './export.resource';
import { ExportsModule } from './exports.module';
import { exportsPersonal } from './exports.personal';

/** Everything of a workspace as one archive. */
export const exportsArea = defineArea({
  name: 'exports',
  module: ExportsModule,
  resources: [exportResource],
  migrations: [CreateExports1765396000000],
  personal: exportsPersonal,
  permissions: usualPermissions('exports', 'exports of everything, with their archives', {
    read: 'admin',
    create: 'admin',
    update: 'admin',
    delete: 'admin',
  }),
  events: {
    domain: 'export',
    label: 'Exports',
    events: {
      'export.created': 'An export was asked for.',
      'export.started': 'An export is being made.',
      'export.completed': 'An export can be downloaded.',
      'export.cancelled': 'An export was stopped.',
      'export.failed': 'An export could not be made.',
      'export.expired': 'The archive of an export is gone: its time is over, or somebody was erased.',
      'export.deleted': 'An export was deleted, with its archive.',
    },
  },
  tags: [{ name: 'Exports', place: 186, description: 'Everything of a workspace as one archive, to be taken along.' }],
});
