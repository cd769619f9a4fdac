import { emailAddress, type IndexedGroup } from '../../platform/area/search-group';

/** Users in `GET /search`, those who are gone last; by their address exactly. */
export const userSearch: IndexedGroup = {
  type: 'users',
  singular: 'user',
  path: '/users',
  table: 'users',
  view: 'search_users',
  large: false,
  fields: {
    email: { type: 'string' },
    role: { type: 'string' },
    status: { type: 'string' },
    availability: { type: 'string' },
  },
  columns: {
    title: 't.name',
    text: `concat_ws(' · ', t.email, t.title)`,
    email: 't.email',
    role: 't.role',
    status: 't.status',
    availability: 't.availability',
  },
  exact: (text, bind) => {
    const email = emailAddress(text);
    return email === null ? null : `SELECT t.id FROM users t WHERE t.workspace_id = $1 AND t.email = ${bind(email)}`;
  },
  last: `t.status IN ('suspended', 'deactivated')`,
  words: { texts: 'users', newestBy: 'updated_at', newest: 200 },
};
