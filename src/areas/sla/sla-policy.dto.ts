import { PartialType } from '@nestjs/swagger';
import { IdParameter } from '../../platform/query/members';
import { BodyOf, MembersOf } from '../../platform/columns/bodies';
import { SlaPolicy } from './sla-policy.entity';

const writable = [
  'name',
  'description',
  'is_active',
  'is_default',
  'position',
  'conditions',
  'targets',
  'schedule',
  'schedule_id',
  'pause_statuses',
  'pause_metrics',
  'at_risk_threshold_pct',
  'escalation',
  'starts_on',
  'ends_on',
  'ai_counts_as_response',
  'external_id',
  'custom_fields',
] as const;

@BodyOf(SlaPolicy, writable)
export class CreateSlaPolicy extends MembersOf(SlaPolicy, writable, ['name', 'targets']) {}

@BodyOf(SlaPolicy, writable)
export class UpdateSlaPolicy extends PartialType(CreateSlaPolicy, { skipNullProperties: false }) {}

/** Parameters of `DELETE /sla/{id}`. */
export class RemoveSlaPolicy {
  @IdParameter({
    description:
      'What becomes of companies and categories that name it: the id of the policy that they get, or `none`. Needed when it is in use, by open tickets too.',
    names: 'a policy',
    none: true,
  })
  reassign_to?: number | null;
}
