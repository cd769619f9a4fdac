import { CreatePipeline, UpdatePipeline } from '../../src/areas/crm/pipelines/pipeline.dto';
import { pipelineResource } from '../../src/areas/crm/pipelines/pipeline.resource';
import { describeResource } from '../support/describe-resource';

describeResource({
  resource: pipelineResource,
  path: () => '/crm/pipelines',
  bodies: { create: CreatePipeline, update: UpdatePipeline },
  create: (serial) => ({
    name: `Pipeline ${serial}`,
    description: serial % 2 ? 'For what is big' : null,
    is_active: serial % 3 !== 0,
    currency: serial % 2 ? 'EUR' : null,
    ...(serial % 4 ? {} : { stages: [{ name: 'First' }, { name: 'Second', probability: 60 }] }),
  }),
  update: (serial) => ({ name: `Renamed ${serial}`, description: 'Other', is_active: true, currency: 'USD' }),
  required: ['name'],
  invalid: {
    name: ['', 7, 'x'.repeat(121)],
    currency: ['eur', 'XYZ', 7],
    is_active: ['yes', null],
    is_default: ['yes', null],
    position: [0, 1.5, '1', null],
  },
});
