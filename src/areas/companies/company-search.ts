import { type IndexedGroup, SNIPPET_TEXT } from '../../platform/area/search-group';

/** Companies in `GET /search`; by their name exactly, through the search view, because `lower` is not leakproof. */
export const companySearch: IndexedGroup = {
  type: 'companies',
  singular: 'company',
  path: '/companies',
  table: 'companies',
  view: 'search_companies',
  large: false,
  fields: {
    domains: { type: 'array', items: { type: 'string' } },
    email: { type: 'string', nullable: true },
    tier: { type: 'string' },
    status: { type: 'string' },
    is_vip: { type: 'boolean' },
  },
  columns: {
    title: 't.name',
    text: `concat_ws(' · ', nullif(array_to_string(t.domains, ', '), ''), t.email, t.industry, left(t.notes, ${SNIPPET_TEXT}))`,
    domains: 't.domains',
    email: 't.email',
    tier: 't.tier',
    status: 't.status',
    is_vip: 't.is_vip',
  },
  exact: (text, bind) =>
    `SELECT t.id FROM companies_search t WHERE t.workspace_id = $1 AND lower(t.name) = lower(${bind(text)}::text)`,
  words: { texts: 'companies', newestBy: 'updated_at', newest: 200 },
};
