import { type PersonalTable, RESOURCE_TEXTS } from '../../platform/area/personal';

/** Companies are no people; their notes and addresses may name some. */
export const companiesPersonal: readonly PersonalTable[] = [
  {
    table: 'companies',
    texts: [...RESOURCE_TEXTS, 'name', 'email', 'phone', 'website', 'industry', 'address', 'tax_id', 'notes', 'tags'],
    free: ['domains', 'size', 'tier', 'status'],
  },
];
