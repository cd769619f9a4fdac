import { TextSetting, UrlSetting } from '../../../../platform/area/settings';
import { byId, idOf, listOf, objectOf, type Said, textIn, within } from '../said';
import type { ComingFile } from '../../run/coming-file';
import { filesIn } from '../said-files';
import { pathOf } from '../service-links';
import { basic } from '../service-credentials';
import type {
  Reading,
  ServiceEntity,
  ServicePage,
  ServiceRecord,
  ServiceRequest,
  ServiceSource,
} from '../service-source';

const SIZE = 100;
/** Without a moment only the tickets of the last thirty days are told. */
const ALWAYS = '2000-01-01T00:00:00Z';

/** Settings of a Freshdesk account. */
export class FreshdeskConfig {
  @UrlSetting({ title: 'Address', description: '`https://acme.freshdesk.com`', required: true })
  base_url: string;

  @TextSetting({ title: 'API key', description: 'Of an admin.', required: true, secret: true, min: 1, max: 500 })
  api_key: string;
}

/**
 * Freshdesk, API v2: lists by page number until one is empty, tickets by the moment of their last change, conversations ticket by ticket.
 * Documentation: developers.freshdesk.com/api (tickets, conversations, contacts, companies, agents, groups, ticket fields, pagination,
 * rate limit).
 */
export const freshdesk: ServiceSource = {
  name: 'Freshdesk',
  docs_url: 'https://developers.freshdesk.com/api/',
  config: FreshdeskConfig,
  headers: ({ api_key }) => basic(api_key, 'X'),
  // Attachments are at `cdn.freshdesk.com` in its documentation, and behind addresses of Amazon S3 that end soon.
  fileHosts: /(^|\.)freshdesk\.com$|^s3([.-][a-z0-9-]+)?\.amazonaws\.com$/,
  locate: async ({ id, at }, reading) => {
    const answer = await reading.ask({ path: at.path ?? '' });
    const holders = Array.isArray(answer) ? listOf(answer) : [objectOf(answer)];
    const all = holders.flatMap(({ attachments }) => (Array.isArray(attachments) ? listOf(attachments) : []));
    const url = textIn(all.find((file) => idOf(file.id) === id) ?? {}, 'attachment_url');
    return url === null ? null : { url };
  },
  probe: { path: '/api/v2/agents/me' },
  entities: {
    companies: paged('/api/v2/companies', {}, companyOf),
    users: paged('/api/v2/agents', {}, userOf),
    contacts: {
      ...paged('/api/v2/contacts', {}, contactOf),
      first: ({ since }) => ({ path: pathOf('/api/v2/contacts', { per_page: SIZE, page: 1, _updated_since: since }) }),
    },
    categories: paged('/api/v2/groups', {}, (said, id) => ({ id, fields: pick(said, 'name', 'description') })),
    tickets: {
      first: ({ since }) => ticketsFrom(since ?? ALWAYS, 1),
      read: ticketPage,
      values: {
        status: {
          ...{ Open: 'open', Pending: 'on_hold', Resolved: 'resolved', Closed: 'closed' },
          ...{ 'Waiting on Customer': 'on_hold', 'Waiting on Third Party': 'on_hold', '*': 'in_progress' },
        },
        priority: { 1: 'low', 2: 'medium', 3: 'high', 4: 'urgent' },
        // Sources: 1 e-mail, 3 phone, 7 chat, 10 outbound e-mail.
        channel: { 1: 'email', 10: 'email', 3: 'phone', 7: 'chat', '*': 'portal' },
        type: {
          Question: 'question',
          Incident: 'incident',
          Problem: 'problem',
          'Feature Request': 'request',
          '*': null,
        },
      },
    },
    ticket_comments: {
      belowTickets: true,
      first: ({ ticket }) => conversations(ticket, 1),
      read: conversationPage,
    },
  },
};

type ToRecord = (said: Said, id: string) => ServiceRecord | null;

/** A list by page number: one that is empty is behind the last. */
function paged(path: string, query: Readonly<Record<string, string>>, to: ToRecord): ServiceEntity {
  return {
    first: () => ({ path: pathOf(path, { per_page: SIZE, page: 1, ...query }) }),
    read: (answer, at) => {
      const list = listOf(answer);
      return { records: recordsOf(list, to), next: list.length === 0 ? null : nextPage(at) };
    },
  };
}

function nextPage({ path }: ServiceRequest): ServiceRequest {
  const url = new URL(path, 'http://page');
  url.searchParams.set('page', String(Number(url.searchParams.get('page') ?? 1) + 1));
  return { path: `${url.pathname}${url.search}` };
}

function recordsOf(list: readonly Said[], to: ToRecord): ServiceRecord[] {
  return list.flatMap((said) => {
    const id = idOf(said.id);
    const record = id === null ? null : to(said, id);
    return record ? [record] : [];
  });
}

function pick(said: Said, ...names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries([...names, 'created_at', 'updated_at'].map((name) => [name, said[name] ?? null]));
}

function companyOf(said: Said, id: string): ServiceRecord {
  const notes = [said.description, said.note].filter((part) => typeof part === 'string' && part !== '').join('\n\n');
  const fields = { ...pick(said, 'name', 'domains', 'industry', 'renewal_date'), notes };
  return { id, fields, titled: within(said, 'custom_fields') };
}

function userOf(said: Said, id: string): ServiceRecord {
  const { name, email, phone, job_title: title, language: locale } = within(said, 'contact');
  const role = said.type === 'collaborator' ? 'light_agent' : 'agent';
  return { id, fields: { ...pick(said), name, email, phone, title, locale, role } };
}

function contactOf(said: Said, id: string): ServiceRecord | null {
  if (said.deleted === true) return null;
  const fields = {
    ...pick(said, 'name', 'email', 'phone', 'mobile', 'job_title', 'language', 'company_id', 'tags'),
    notes: said.description,
  };
  return { id, fields, titled: within(said, 'custom_fields') };
}

function ticketsFrom(moment: string, page: number): ServiceRequest {
  const order = { order_by: 'updated_at', order_type: 'asc', include: 'requester,stats,description' };
  return { path: pathOf('/api/v2/tickets', { updated_since: moment, ...order, per_page: SIZE, page }) };
}

async function ticketPage(answer: unknown, at: ServiceRequest, reading: Reading): Promise<ServicePage> {
  const list = listOf(answer);
  const known = listOf(await reading.askOnce({ path: '/api/v2/ticket_fields' }));
  const titles = byId(known, 'name');
  const statuses = within(known.find(({ type }) => type === 'default_status') ?? {}, 'choices');
  const records = recordsOf(list, (ticket, id) => {
    if (ticket.deleted === true || ticket.spam === true) return null;
    const { email, name } = within(ticket, 'requester');
    const { resolved_at, closed_at } = within(ticket, 'stats');
    const said = statuses[String(ticket.status)];
    const words: unknown[] = Array.isArray(said) ? said : [];
    const fields = {
      ...pick(ticket, 'subject', 'priority', 'type', 'tags'),
      description: ticket.description_text,
      status: words[0] ?? STATUSES[String(ticket.status)],
      channel: ticket.source,
      requester_email: email,
      requester_name: name,
      assigned_to: ticket.responder_id,
      category_id: ticket.group_id,
      company_id: ticket.company_id,
      resolved_at,
      closed_at,
    };
    const own = Object.entries(within(ticket, 'custom_fields'));
    const titled = own.map(([key, value]): [string, unknown] => [textIn(titles.get(key) ?? {}, 'label') ?? key, value]);
    return { id, fields, titled: { ...Object.fromEntries(titled), 'Ticket type': ticket.type } };
  });
  return { records, next: list.length === 0 ? null : furtherOn(list, at) };
}

/** What a status is where the account does not tell its words. */
const STATUSES: Readonly<Record<string, string>> = { 2: 'Open', 3: 'Pending', 4: 'Resolved', 5: 'Closed' };

/**
 * The next page begins at the moment of the last ticket, which comes once more: page numbers of a list by changes move under whoever reads
 * it, and end at three hundred. Only tickets of one moment that fill a page are turned over.
 */
function furtherOn(list: readonly Said[], at: ServiceRequest): ServiceRequest {
  const query = new URL(at.path, 'http://page').searchParams;
  const last = textIn(list.at(-1) ?? {}, 'updated_at');
  return last !== null && last !== query.get('updated_since') ? ticketsFrom(last, 1) : nextPage(at);
}

function conversations(ticket: string, page: number): ServiceRequest {
  return { path: pathOf(`/api/v2/tickets/${encodeURIComponent(ticket)}/conversations`, { per_page: SIZE, page }) };
}

async function conversationPage(answer: unknown, at: ServiceRequest, reading: Reading): Promise<ServicePage> {
  const list = listOf(answer);
  const people = await reading.people(list.flatMap(({ user_id }) => idOf(user_id) ?? []));
  const records = recordsOf(list, (said, id) => {
    const author = people.get(idOf(said.user_id) ?? '');
    const fields = {
      ticket_id: reading.ticket,
      body: said.body_text,
      is_internal: said.private === true,
      author_email: author?.email ?? (said.incoming === true ? addressIn(said.from_email) : null),
      author_name: author?.name,
      author_type: said.incoming === true ? 'requester' : 'agent',
      created_at: objectOf(said).created_at,
    };
    return { id, fields };
  });
  return { records, next: list.length < SIZE ? null : nextPage(at), files: await filesOf(list, at, reading) };
}

const FILE_NAMES = { filename: 'name', type: 'content_type', size: 'size', created_at: 'created_at' };

/** Those of conversations, and with the first of these those of the ticket, which its list does not tell. */
async function filesOf(
  list: readonly Said[],
  at: ServiceRequest,
  { withFiles, ticket, ask }: Reading,
): Promise<ComingFile[]> {
  if (!withFiles) return [];
  const said = list.flatMap(({ id, attachments }) =>
    filesIn(attachments, 'ticket_comments', idOf(id) ?? '', FILE_NAMES, { path: at.path }),
  );
  if (at.path !== conversations(ticket, 1).path) return said;
  const path = `/api/v2/tickets/${encodeURIComponent(ticket)}`;
  return [...filesIn(objectOf(await ask({ path })).attachments, 'tickets', ticket, FILE_NAMES, { path }), ...said];
}

/** The address in `Paul Weber <paul@acme.example>`. */
export function addressIn(said: unknown): string | null {
  if (typeof said !== 'string') return null;
  const [, inside] = /<([^<>\s]{3,254})>\s*$/.exec(said.slice(0, 1_000)) ?? [];
  const address = inside ?? said.trim();
  return /^[^\s@<>]+@[^\s@<>]+$/.test(address) && address.length <= 254 ? address : null;
}
