import { PartialType } from '@nestjs/swagger';
import { IdParameter } from '../../../platform/query/members';
import { BodyOf, MembersOf } from '../../../platform/columns/bodies';
import { KbCategory } from './kb-category.entity';

const writable = [
  'name',
  'slug',
  'description',
  'parent_id',
  'icon',
  'position',
  'visibility',
  'language',
  'external_id',
  'custom_fields',
] as const;

@BodyOf(KbCategory, writable)
export class CreateKbCategory extends MembersOf(KbCategory, writable, ['name']) {}

@BodyOf(KbCategory, writable)
export class UpdateKbCategory extends PartialType(CreateKbCategory, { skipNullProperties: false }) {}

/** Parameters of `DELETE /kb/categories/{id}`. */
export class RemoveKbCategory {
  @IdParameter({
    description: 'Id of the category that takes over its articles; needed when there are any.',
    names: 'another category',
  })
  reassign_to?: number;
}
