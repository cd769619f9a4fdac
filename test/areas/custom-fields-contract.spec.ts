import { CreateCustomField, UpdateCustomField } from '../../src/areas/fields/custom-field.dto';
import { customFieldResource } from '../../src/areas/fields/custom-field.resource';
import { describeResource } from '../support/describe-resource';

const OBJECTS = ['ticket', 'company', 'contact', 'user', 'asset', 'deal', 'lead', 'quote', 'meeting', 'team'];
const options = [{ value: 'south', label: 'South wing' }, { value: 'north', label: 'North wing', is_active: false }]; // prettier-ignore
const kinds = [
  { type: 'number', default_value: 3 },
  { type: 'text', pattern: '^[A-Z]{2}-' },
  { type: 'select', options, default_value: 'south' },
  { type: 'reference', target: 'users' },
];

describeResource({
  resource: customFieldResource,
  path: () => '/custom-fields',
  bodies: { create: CreateCustomField, update: UpdateCustomField },
  create: (serial) => ({
    object: OBJECTS[serial % OBJECTS.length],
    key: `key_${serial}`,
    label: `Label ${serial % 7} ${serial}`,
    description: serial % 2 ? `Number ${serial}` : null,
    ...kinds[serial % kinds.length],
    is_required: serial % 3 === 0,
    visible_to_customers: serial % 5 === 0,
    is_active: serial % 4 !== 1,
    ...(serial % 2 ? { position: serial % 10 } : {}),
  }),
  update: (serial) => ({
    label: `Renamed ${serial}`,
    description: 'Other',
    is_required: true,
    visible_to_customers: true,
    position: serial,
    is_active: false,
  }),
  required: ['object', 'key', 'label', 'type'],
  invalid: {
    object: ['', 7, 'zzz', 'tickets', 'custom_field', 'ticket_comment'],
    key: ['', 7, 'a.b', 'a,b', '_a', ' ', 'constructor', 'x'.repeat(65)],
    label: ['', ' ', 7, 'x'.repeat(121)],
    description: [7, 'x'.repeat(1_001)],
    type: ['', 7, 'texts', 'reference'],
    options: [
      7,
      ['a'],
      [{ value: 'a' }],
      [{ value: 'a,b', label: 'A' }],
      [{ value: 'none', label: 'None' }],
      [{ value: 'a', label: 'A' }, { value: 'a', label: 'B' }], // prettier-ignore
    ],
    target: [7, 'zzz', '', 'ticket_comments'],
    is_required: ['yes', 1],
    default_value: [{}, [7], [['a']], true],
    pattern: [7, '(', '', 'x'.repeat(201)],
    visible_to_customers: ['yes', 1],
    position: [-1, 1.5, '1', 1_000_001],
    is_active: ['yes', 1],
  },
});
