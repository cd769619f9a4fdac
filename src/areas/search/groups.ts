import { emailAddress, type SearchType, ticketNumber } from './query';

/** Adds a value to a statement; answers its placeholder. */
export type Bind = (value: unknown) => string;

/** Longest text that a snippet is looked for in, in characters. */
const TEXT = 20_000;

/** Where one kind of record is searched, and what a hit shows of it. */
export interface Group {
  type: SearchType;
  /** Singular name: `type` of a hit. */
  singular: string;
  /** Path of the records below the prefix. */
  path: string;
  table: string;
  /** View owned by the system role: `id`, `created_at`, `search_text`, `title_length` of the workspace's records. */
  view: string;
  /** The table behind the view is large: a common word is looked for among the newest records first. */
  large: boolean;
  /** SQL over `t`, the record: `title`, `text` (for the snippet) and what a hit shows as it is. */
  columns: Readonly<Record<string, string>>;
  /** SQL that yields the `id` of records the search names exactly, under row-level security; null when it names none. */
  exact: (text: string, bind: Bind) => string | null;
  /** SQL condition over `t`: records that come after others found as well. */
  last?: string;
}

const tickets: Group = {
  type: 'tickets',
  singular: 'ticket',
  path: '/tickets',
  table: 'tickets',
  view: 'search_tickets',
  large: true,
  columns: {
    title: 't.subject',
    text: `left(t.description, ${TEXT})`,
    code: 't.code',
    status: 't.status',
    priority: 't.priority',
    assigned_to: 't.assigned_to',
    company_id: 't.company_id',
  },
  exact: (text, bind) => {
    const number = ticketNumber(text);
    if (number !== null) return `SELECT t.id FROM tickets t WHERE t.workspace_id = $1 AND t.number = ${bind(number)}`;
    const email = emailAddress(text);
    if (email === null) return null;
    return `SELECT t.id FROM tickets t WHERE t.workspace_id = $1 AND t.requester_email = ${bind(email)} ORDER BY t.created_at DESC, t.id DESC`;
  },
};

const companies: Group = {
  type: 'companies',
  singular: 'company',
  path: '/companies',
  table: 'companies',
  view: 'search_companies',
  large: false,
  columns: {
    title: 't.name',
    text: `concat_ws(' · ', nullif(array_to_string(t.domains, ', '), ''), t.email, t.industry, left(t.notes, ${TEXT}))`,
    domains: 't.domains',
    email: 't.email',
    tier: 't.tier',
    status: 't.status',
    is_vip: 't.is_vip',
  },
  exact: (text, bind) =>
    `SELECT t.id FROM companies t WHERE t.workspace_id = $1 AND lower(t.name) = lower(${bind(text)}::text)`,
};

const users: Group = {
  type: 'users',
  singular: 'user',
  path: '/users',
  table: 'users',
  view: 'search_users',
  large: false,
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
};

/** What this area searches itself; articles are searched by theirs. */
export const groups: readonly Group[] = [tickets, companies, users];
