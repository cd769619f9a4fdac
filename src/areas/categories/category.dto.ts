import { PartialType } from '@nestjs/swagger';
import { IdParameter } from '../../platform/query/members';
import { BodyOf, MembersOf } from '../../platform/columns/bodies';
import { Category } from './category.entity';

const writable = [
  'name',
  'description',
  'parent_id',
  'color',
  'icon',
  'default_priority',
  'default_team_id',
  'default_assignee_id',
  'escalate_to_user_id',
  'required_skills',
  'sla_policy_id',
  'is_active',
  'position',
  'external_id',
  'custom_fields',
] as const;

@BodyOf(Category, writable)
export class CreateCategory extends MembersOf(Category, writable, ['name']) {}

@BodyOf(Category, writable)
export class UpdateCategory extends PartialType(CreateCategory, { skipNullProperties: false }) {}

/** Parameters of `DELETE /categories/{id}`. */
export class RemoveCategory {
  @IdParameter({
    description: 'Id of the category that takes over its tickets; needed when there are any.',
    names: 'another category',
  })
  reassign_to?: number;
}
