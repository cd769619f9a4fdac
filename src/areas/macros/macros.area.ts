import { CreateBulkJobs1765230000000 } from '../../../migrations/1765230000000-create-bulk-jobs';
import { CreateMacros1765220000000 } from '../../../migrations/1765220000000-create-macros';
import { defineArea } from '../../platform/area/area';
import { usualPermissions } from '../../platform/context/permission-table';
import { changesOf } from '../../platform/events/event-domain';
import { bulkJobResource } from './bulk/bulk-job.resource';
import { macroResource } from './macro.resource';
import { MacrosModule } from './macros.module';
import { macrosPersonal } from './macros.personal';

/** Actions that people apply to tickets, to one or to many. */
export const macrosArea = defineArea({
  name: 'macros',
  module: MacrosModule,
  resources: [macroResource, bulkJobResource],
  migrations: [CreateMacros1765220000000, CreateBulkJobs1765230000000],
  permissions: [
    ...usualPermissions('macros', 'macros that one shares in', {
      read: 'agent',
      create: 'agent',
      update: 'agent',
      delete: 'agent',
    }),
    { name: 'bulk-jobs.read', description: 'See bulk jobs and how far they are.', from: 'agent' },
    { name: 'bulk-jobs.update', description: 'Cancel and undo bulk jobs.', from: 'agent' },
  ],
  personal: macrosPersonal,
  events: {
    domain: 'macro',
    label: 'Macros',
    events: {
      ...changesOf('macro', 'A macro'),
      'bulk_job.created': 'A bulk job was made.',
      'bulk_job.started': 'A bulk job began.',
      'bulk_job.completed': 'A bulk job has tried every one of its tickets.',
      'bulk_job.cancelled': 'A bulk job was cancelled.',
      'ticket.macro_applied': 'A macro was applied to a ticket; `data.macro` names it.',
    },
    beside: {
      'ticket.macro_applied': {
        macro: { id: 17, name: 'Close as duplicate' },
        actions: [{ type: 'set_status', status: 'done' }],
        changes: { status: { from: 'open', to: 'closed' } },
      },
    },
  },
  triggers: ['ticket.macro_applied'],
  demo: [
    {
      resource: macroResource,
      values: {
        name: 'Ask for a restart',
        description: 'The first thing to try with hardware.',
        actions: [
          {
            type: 'add_comment',
            body: 'Hello {{requester.name}},\n\nplease restart the device. Does {{ticket.code}} still happen then?',
          },
          { type: 'add_tags', tags: 'restart' },
        ],
        position: 1,
      },
    },
    {
      resource: bulkJobResource,
      values: {
        kind: 'apply',
        status: 'completed',
        actions: [{ type: 'add_tags', tags: 'checked' }],
        filter: { tags: 'none-such' },
      },
    },
  ],
  tags: [
    { name: 'Macros', place: 91, description: 'Actions that people apply to tickets, to one or to many at once.' },
  ],
});
