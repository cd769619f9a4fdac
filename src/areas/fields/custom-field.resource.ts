import { defineResource } from '../../platform/resource/resource';
import { CustomField } from './custom-field.entity';

export const customFieldResource = defineResource(CustomField, {
  name: 'custom_fields',
  singular: 'custom_field',
  table: 'custom_fields',
  sort: {
    position: { column: 'position', type: 'integer' },
    key: { column: 'key', type: 'text' },
    label: { column: 'label', type: 'text' },
  },
  defaultSort: 'position',
  filter: ['object', 'key', 'type', 'target', 'is_required', 'visible_to_customers', 'is_active'],
  search: { view: 'custom_fields_search', over: ['key', 'label', 'description'] },
});
