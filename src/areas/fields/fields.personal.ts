import { type PersonalTable, RESOURCE_TEXTS } from '../../platform/area/personal';

/** What fields are called, and what may be chosen; what is in them belongs to the records. */
export const fieldsPersonal: readonly PersonalTable[] = [
  {
    table: 'custom_fields',
    texts: [...RESOURCE_TEXTS, 'label', 'description', 'options', 'default_value'],
    free: ['object', 'key', 'type', 'target', 'pattern'],
  },
];
