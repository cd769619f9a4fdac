import { CreateCustomFields1766100000000 } from '../../../migrations/1766100000000-create-custom-fields';
import { SearchFieldsEverywhere1767100000000 } from '../../../migrations/1767100000000-search-fields-everywhere';
import { TermsOfFieldsByALoop1768800000000 } from '../../../migrations/1768800000000-terms-of-fields-by-a-loop';
import { defineArea } from '../../platform/area/area';
import { usualPermissions } from '../../platform/context/permission-table';
import { changesOf } from '../../platform/events/event-domain';
import { customFieldResource } from './custom-field.resource';
import { FieldsModule } from './fields.module';
import { fieldsPersonal } from './fields.personal';

/** What is in `custom_fields`, where a workspace says so. */
export const fieldsArea = defineArea({
  name: 'fields',
  module: FieldsModule,
  resources: [customFieldResource],
  migrations: [CreateCustomFields1766100000000, SearchFieldsEverywhere1767100000000, TermsOfFieldsByALoop1768800000000],
  permissions: usualPermissions('custom-fields', 'which custom fields there are', {
    read: 'everyone',
    create: 'admin',
    update: 'admin',
    delete: 'admin',
  }),
  personal: fieldsPersonal,
  events: { domain: 'custom_field', label: 'Custom fields', events: changesOf('custom_field', 'A custom field') },
  demo: [
    {
      resource: customFieldResource,
      values: {
        object: 'ticket',
        key: 'floor',
        label: 'Floor',
        type: 'number',
        position: 1,
      },
    },
    {
      resource: customFieldResource,
      values: {
        object: 'ticket',
        key: 'site',
        label: 'Site',
        type: 'select',
        options: [
          { value: 'milan', label: 'Milan' },
          { value: 'turin', label: 'Turin' },
        ],
        visible_to_customers: true,
        position: 2,
      },
    },
  ],
  tags: [
    {
      name: 'Custom fields',
      place: 13,
      description: 'Which custom fields records have, what they can hold, and what becomes of them in lists.',
    },
  ],
});
