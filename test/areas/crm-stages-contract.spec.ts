import { CreateStage, UpdateStage } from '../../src/areas/crm/stages/stage.dto';
import { stageResource } from '../../src/areas/crm/stages/stage.resource';
import { make } from '../support/cast';
import { describeResource } from '../support/describe-resource';

describeResource({
  resource: stageResource,
  path: () => '/crm/stages',
  bodies: { create: CreateStage, update: UpdateStage },
  prepare: async (api) => ({
    first: (await make(api, '/crm/pipelines')).id,
    second: (await make(api, '/crm/pipelines')).id,
    third: (await make(api, '/crm/pipelines')).id,
  }),
  create: (serial, made) => ({
    pipeline_id: [made.first, made.second, made.third][serial % 3],
    name: `Stage ${serial}`,
    ...(serial % 2 ? { position: (serial % 4) + 1 } : {}),
    probability: serial % 100,
    rotten_days: serial % 2 ? 14 : null,
    color: serial % 2 ? '#2f80ed' : null,
  }),
  update: (serial) => ({ name: `Renamed ${serial}`, position: 2, probability: 45, rotten_days: 30, color: '#ffffff' }),
  required: ['pipeline_id', 'name'],
  invalid: {
    pipeline_id: ['x', 0],
    name: ['', 7, 'x'.repeat(121)],
    type: ['won', 'lost', 'paused', null],
    position: [0, 1.5, '1', null],
    probability: [-1, 101, 1.5, '50', null],
    rotten_days: [0, 1.5, '7'],
    color: ['red', '#fff', 7],
  },
});
