import { CreateKbCategory, UpdateKbCategory } from '../../src/areas/kb/categories/kb-category.dto';
import { kbCategoryResource } from '../../src/areas/kb/categories/kb-category.resource';
import { describeResource } from '../support/describe-resource';

describeResource({
  resource: kbCategoryResource,
  path: () => '/kb/categories',
  bodies: { create: CreateKbCategory, update: UpdateKbCategory },
  prepare: async (api) => ({
    parent: (await api.post('/kb/categories', { name: 'Everything' })).expect(201).data.id,
  }),
  create: (serial, made) => ({
    name: `Shelf ${serial % 5} ${serial}`,
    description: serial % 2 ? `About ${serial}` : null,
    parent_id: serial % 3 ? made.parent : null,
    icon: 'book',
    visibility: ['public', 'customers', 'internal'][serial % 3],
    language: ['en', 'de', 'pt-BR'][serial % 3],
    ...(serial % 2 ? { position: serial % 10 } : {}),
  }),
  update: (serial) => ({
    name: `Renamed ${serial}`,
    slug: `chosen-${serial}`,
    description: 'Other',
    parent_id: null,
    icon: 'wrench',
    visibility: 'internal',
    position: serial,
  }),
  required: ['name'],
  invalid: {
    name: ['', ' ', 7, 'x'.repeat(121)],
    slug: ['Not A Slug', 'a--b', 7],
    description: [7, 'x'.repeat(2_001)],
    icon: [7, 'x'.repeat(65)],
    visibility: ['secret', 7],
    language: ['', 'not a language', 7],
    parent_id: ['x', 0, -1],
    position: [-1, 1.5, '1', 1_000_001],
  },
});
