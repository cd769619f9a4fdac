import { defineResource } from '../../../platform/resource/resource';
import { DealStageChange } from './stage-change.entity';

export const stageChangeResource = defineResource(DealStageChange, {
  name: 'deal_stage_changes',
  singular: 'deal_stage_change',
  table: 'deal_stage_changes',
  sort: {},
  defaultSort: 'created_at',
  filter: ['from_stage_id', 'to_stage_id'],
  expand: { from_stage: { one: 'stages', by: 'from_stage_id' }, to_stage: { one: 'stages', by: 'to_stage_id' } },
  log: true,
});
