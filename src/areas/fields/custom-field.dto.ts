import { OmitType, PartialType } from '@nestjs/swagger';
import { BodyOf, MembersOf } from '../../platform/columns/bodies';
import { CustomField } from './custom-field.entity';

const changeable = [
  'label',
  'description',
  'options',
  'is_required',
  'default_value',
  'pattern',
  'visible_to_customers',
  'position',
  'is_active',
  'external_id',
  'custom_fields',
] as const;
const fixed = ['object', 'key', 'type', 'target'] as const;

@BodyOf(CustomField, [...fixed, ...changeable])
export class CreateCustomField extends MembersOf(
  CustomField,
  [...fixed, ...changeable],
  ['object', 'key', 'label', 'type'],
) {}

@BodyOf(CustomField, changeable)
export class UpdateCustomField extends PartialType(OmitType(CreateCustomField, fixed), { skipNullProperties: false }) {}
