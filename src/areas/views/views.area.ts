import { CreateViews1765210000000 } from '../../../migrations/1765210000000-create-views';
import { defineArea } from '../../platform/area/area';
import { usualPermissions } from '../../platform/context/permission-table';
import { changesOf } from '../../platform/events/event-domain';
import { viewResource } from './view.resource';
import { ViewsModule } from './views.module';
import { viewsPersonal } from './views.personal';

/** Lists that people saved. */
export const viewsArea = defineArea({
  name: 'views',
  module: ViewsModule,
  resources: [viewResource],
  migrations: [CreateViews1765210000000],
  permissions: usualPermissions('views', 'views that one shares in', {
    read: 'light_agent',
    create: 'light_agent',
    update: 'light_agent',
    delete: 'light_agent',
  }),
  personal: viewsPersonal,
  events: { domain: 'view', label: 'Views', events: changesOf('view', 'A view') },
  demo: [
    {
      resource: viewResource,
      values: {
        name: 'Urgent and unassigned',
        filters: { priority: 'urgent,high', assigned_to: 'none', status: 'open' },
        sort: '-priority',
        columns: ['code', 'subject', 'priority', 'created_at', 'company'],
        position: 1,
      },
    },
    {
      resource: viewResource,
      values: {
        name: 'About to breach',
        filters: { sla_status: 'at_risk,breached', status: 'open,in_progress' },
        sort: 'next_sla_due_at',
        columns: ['code', 'subject', 'status', 'next_sla_due_at', 'assignee'],
        position: 2,
      },
    },
  ],
  tags: [
    {
      name: 'Views',
      place: 12,
      description: 'Saved lists: filters, sort, columns, with whom they are shared, and counts.',
    },
  ],
});
