import { ERASED, type PersonalTable, RESOURCE_TEXTS } from '../../platform/area/personal';

export const crmPersonal: readonly PersonalTable[] = [
  { table: 'pipelines', texts: [...RESOURCE_TEXTS, 'name', 'description'], free: ['currency'] },
  { table: 'stages', texts: [...RESOURCE_TEXTS, 'name'], free: ['type', 'color'] },
  {
    table: 'leads',
    own: {
      object: 'lead',
      of: ({ contact, emails }) =>
        `(r.contact_id = ${contact} OR (r.contact_id IS NULL AND lower(r.email) = ANY(${emails})))`,
      erase: {
        name: ERASED,
        email: null,
        phone: null,
        job_title: null,
        website: null,
        notes: null,
        tags: '',
        utm: {},
        external_id: null,
        custom_fields: {},
      },
      names: ['name'],
    },
    texts: [
      ...RESOURCE_TEXTS,
      'name',
      'email',
      'phone',
      'company_name',
      'job_title',
      'website',
      'notes',
      'tags',
      'lost_reason',
      'utm',
    ],
    free: ['source', 'status', 'rating', 'currency', 'industry', 'country'],
  },
  {
    table: 'deals',
    own: { object: 'deal', of: ({ contact }) => `r.contact_id = ${contact}` },
    texts: [...RESOURCE_TEXTS, 'title', 'lost_reason', 'next_step', 'notes', 'tags'],
    free: ['currency', 'status', 'priority', 'source'],
  },
  {
    table: 'deal_stage_changes',
    about: [{ object: `'deal'`, id: 'r.deal_id' }],
    texts: ['from_stage_name', 'to_stage_name', 'actor'],
    export: false,
  },
];
