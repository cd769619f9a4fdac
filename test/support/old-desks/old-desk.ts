/** What the desk has that a test moves from: each service tells the same in its own shape. Moments are ISO 8601. */
export interface OldTicket {
  id: number;
  subject: string;
  description: string;
  status: 'open' | 'on_hold' | 'resolved';
  priority: 'medium' | 'high';
  requester: number;
  assignee: number | null;
  company: number;
  tags: string[];
  order: string | null;
  created_at: string;
  updated_at: string;
}

export interface OldComment {
  id: number;
  ticket: number;
  author: number;
  body: string;
  isPublic: boolean;
  created_at: string;
}

const CREATED = '2019-02-01T08:00:00Z';
const dated = { created_at: CREATED, updated_at: CREATED };

export const COMPANIES = [
  { id: 301, name: 'Acme', domain: 'acme.example', ...dated },
  { id: 302, name: 'Globex', domain: 'globex.example', ...dated },
  { id: 303, name: 'Initech', domain: 'initech.example', ...dated },
];
export const AGENTS = [{ id: 401, name: 'Ines Ortega', email: 'ines@here.example', ...dated }];
export const CONTACTS = [
  { id: 501, name: 'Paul Weber', email: 'paul@acme.example', company: 301, ...dated },
  { id: 502, name: 'Mia Wolf', email: 'mia@globex.example', company: 302, ...dated },
  { id: 503, name: 'Tom Reed', email: 'tom@globex.example', company: 302, ...dated },
];
export const GROUPS = [{ id: 601, name: 'Hardware', ...dated }];

/** Who worked there once, and is gone. */
export const GONE = 499;

export const TICKETS: readonly OldTicket[] = [
  {
    ...{ id: 101, subject: 'Printer is jammed', description: 'It eats paper.', status: 'resolved', priority: 'high' },
    ...{ requester: 501, assignee: 401, company: 301, tags: ['printer', 'paper'], order: 'A-17' },
    ...{ created_at: '2019-03-01T08:00:00Z', updated_at: '2019-03-02T10:00:00Z' },
  },
  {
    ...{ id: 102, subject: 'Login fails', description: 'It says no.', status: 'open', priority: 'medium' },
    ...{ requester: 502, assignee: null, company: 302, tags: [], order: null },
    ...{ created_at: '2019-03-03T08:00:00Z', updated_at: '2019-03-03T08:00:00Z' },
  },
  {
    ...{ id: 103, subject: 'New laptop', description: 'Mine is slow.', status: 'on_hold', priority: 'medium' },
    ...{ requester: 502, assignee: GONE, company: 302, tags: [], order: null },
    ...{ created_at: '2019-03-04T08:00:00Z', updated_at: '2019-03-05T08:00:00Z' },
  },
];

export const COMMENTS: readonly OldComment[] = [
  { id: 901, ticket: 101, author: 401, body: 'We look into it.', isPublic: true, created_at: '2019-03-01T09:00:00Z' },
  { id: 902, ticket: 101, author: 401, body: 'Between us.', isPublic: false, created_at: '2019-03-01T09:30:00Z' },
  { id: 903, ticket: 101, author: 501, body: 'Thank you.', isPublic: true, created_at: '2019-03-02T09:00:00Z' },
  { id: 904, ticket: 103, author: 502, body: 'Any news?', isPublic: true, created_at: '2019-03-05T08:00:00Z' },
];

/** A file of a ticket, or of one of its comments. */
export interface OldFile {
  id: number;
  ticket: number;
  comment: number | null;
  name: string;
  content: string;
  /** What is said of it, where that is not so. */
  size?: number;
}

/** Two files: what is jammed, and thanks. */
export const TWO_FILES: readonly OldFile[] = [
  { id: 701, ticket: 101, comment: null, name: 'jam.txt', content: 'It looks like this.' },
  { id: 702, ticket: 101, comment: 903, name: 'thanks.txt', content: 'With kind regards' },
];

/** Files of a ticket itself, or of a comment. */
export function filesOf({ files }: OldDesk, ticket: number, comment: number | null): OldFile[] {
  return files.filter((file) => file.ticket === ticket && file.comment === comment);
}

/** Lists that a test may add to. */
export interface OldDesk {
  tickets: OldTicket[];
  comments: OldComment[];
  files: OldFile[];
}

export function oldDesk(): OldDesk {
  return { tickets: TICKETS.map((each) => ({ ...each })), comments: COMMENTS.map((each) => ({ ...each })), files: [] };
}

export function personOf(id: number): { id: number; name: string; email: string } | undefined {
  return [...AGENTS, ...CONTACTS].find((each) => each.id === id);
}

export const isAgent = (id: number): boolean => AGENTS.some((each) => each.id === id);

/** Records on a page, whatever is asked for: there are always several pages. */
export const PAGE = 2;

/** A page of a list from a place on, and the place behind it; null at the end. */
export function pageOf<T>(list: readonly T[], from: number): { page: T[]; next: number | null } {
  const next = from + PAGE < list.length ? from + PAGE : null;
  return { page: list.slice(from, from + PAGE), next };
}
