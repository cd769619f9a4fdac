import { CreateCrm1763800300000 } from '../../../migrations/1763800300000-create-crm';
import { defineArea } from '../../platform/area/area';
import { usualPermissions } from '../../platform/context/permission-table';
import { changesOf } from '../../platform/events/event-domain';
import { CrmModule } from './crm.module';
import { dealResource } from './deals/deal.resource';
import { stageChangeResource } from './deals/stage-change.resource';
import { leadResource } from './leads/lead.resource';
import { pipelineResource } from './pipelines/pipeline.resource';
import { stageResource } from './stages/stage.resource';
import { crmPersonal } from './crm.personal';

/** Leads, deals, and the pipelines and stages that deals move through. */
export const crmArea = defineArea({
  name: 'crm',
  module: CrmModule,
  resources: [leadResource, dealResource, stageChangeResource, pipelineResource, stageResource],
  migrations: [CreateCrm1763800300000],
  permissions: [
    ...usualPermissions('crm', 'leads and deals', {
      read: 'agent',
      create: 'agent',
      update: 'agent',
      delete: 'supervisor',
    }),
    { name: 'crm.configure', description: 'Add, change and delete pipelines and stages.', from: 'admin' },
  ],
  personal: crmPersonal,
  events: {
    domain: 'crm',
    label: 'CRM',
    events: {
      ...changesOf('lead', 'A lead'),
      'lead.status_changed': 'The status of a lead changed.',
      'lead.converted': 'A lead became a deal.',
      ...changesOf('deal', 'A deal'),
      'deal.stage_changed': 'A deal moved to another stage.',
      'deal.won': 'A deal was won.',
      'deal.lost': 'A deal was lost.',
      'deal.reopened': 'A won or lost deal was opened again.',
      ...changesOf('pipeline', 'A pipeline'),
      ...changesOf('stage', 'A stage of a pipeline'),
    },
  },
  triggers: ['lead.created', 'deal.stage_changed'],
  stats: [
    { resource: leadResource, place: 70, example: 22 },
    { resource: dealResource, place: 80, example: 9 },
  ],
  tags: [
    { name: 'CRM', place: 120, description: 'Leads, deals, and the pipelines and stages that deals move through.' },
  ],
  examples: {
    'crm.pipelines.delete': { id: 2 },
    'crm.stages.delete': { id: 7 },
  },
});
