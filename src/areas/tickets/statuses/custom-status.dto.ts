import { OmitType, PartialType } from '@nestjs/swagger';
import { BodyOf, MembersOf } from '../../../platform/columns/bodies';
import { IdParameter } from '../../../platform/query/members';
import { CustomStatus } from './custom-status.entity';

const changeable = [
  'name',
  'description',
  'color',
  'is_default',
  'position',
  'is_active',
  'external_id',
  'custom_fields',
] as const;

@BodyOf(CustomStatus, ['status', ...changeable])
export class CreateCustomStatus extends MembersOf(CustomStatus, ['status', ...changeable], ['name', 'status']) {}

@BodyOf(CustomStatus, changeable)
export class UpdateCustomStatus extends PartialType(OmitType(CreateCustomStatus, ['status']), {
  skipNullProperties: false,
}) {}

/** Parameters of `DELETE /ticket-statuses/{id}`. */
export class RemoveCustomStatus {
  @IdParameter({
    description:
      'Id of the status that takes over its tickets, with the same `status`, or `none`: they are left with that; needed when there are any.',
    names: 'another status',
    none: true,
  })
  reassign_to?: number | null;
}
