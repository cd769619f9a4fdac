import { TextSetting, UrlSetting } from '../../../../platform/area/settings';
import { htmlText } from '../../../../platform/mail/html-text';
import { firstCharacters } from '../../../../platform/text/normalise';
import { countIn, epochSeconds, idOf, listIn, objectOf, type Said, textIn, within } from '../said';
import type { ComingFile } from '../../run/coming-file';
import { filesIn } from '../said-files';
import { pathOf } from '../service-links';
import { bearer } from '../service-credentials';
import type {
  Reading,
  ServiceEntity,
  ServicePage,
  ServiceRecord,
  ServiceRequest,
  ServiceSource,
} from '../service-source';

const SIZE = 50;
const HEADLINE = 120;

/** Settings of an Intercom workspace. */
export class IntercomConfig {
  @TextSetting({ title: 'Access token', required: true, secret: true, min: 1, max: 1_000 })
  access_token: string;

  @UrlSetting({
    title: 'Address',
    description: 'Of its API: `https://api.eu.intercom.io`, `https://api.au.intercom.io` in these regions.',
  })
  base_url = 'https://api.intercom.io';
}

/**
 * Intercom, version 2.11: conversations become tickets, their parts comments. Contacts and conversations by its search, in the order of
 * creation, with `starting_after`; parts conversation by conversation, as plain text, 500 at most. Documentation:
 * developers.intercom.com/docs/references/2.11/rest-api/api.intercom.io/conversations (search, retrieve), …/contacts (search), …/companies
 * (list), …/admins; developers.intercom.com/docs/build-an-integration/learn-more/rest-apis/pagination.
 */
export const intercom: ServiceSource = {
  name: 'Intercom',
  docs_url: 'https://developers.intercom.com/docs/references/rest-api/api.intercom.io',
  config: IntercomConfig,
  headers: ({ access_token }) => ({ ...bearer(access_token), 'intercom-version': '2.11' }),
  fileHosts: /(^|\.)intercom-attachments(-\d+)?\.(com|eu|au)$|(^|\.)intercomcdn\.(com|eu|au)$/,
  locate: async ({ id, at }, reading) => {
    const ticket = at.ticket ?? '';
    const answer = await reading.ask({ path: `/conversations/${encodeURIComponent(ticket)}` });
    for (const { list, of, holder } of attached(answer, ticket))
      if (Array.isArray(list))
        for (const [place, file] of listIn({ list }, 'list').entries()) {
          const url = fileId(of, holder, place) === id ? textIn(file, 'url') : null;
          if (url !== null) return { url };
        }
    return null;
  },
  probe: { path: '/me' },
  entities: {
    companies: {
      first: () => ({ method: 'POST', path: pathOf('/companies/list', { page: 1, per_page: SIZE }), body: {} }),
      read: companyPage,
    },
    users: {
      first: () => ({ path: '/admins' }),
      read: (answer) => ({ records: listIn(answer, 'admins').flatMap(userOf), next: null }),
    },
    contacts: searched('/contacts/search', 'data', contactOf),
    tickets: {
      ...searched('/conversations/search', 'conversations', ticketOf),
      values: {
        status: { open: 'open', snoozed: 'on_hold', closed: 'closed' },
        priority: { priority: 'high', not_priority: 'medium' },
        channel: {
          email: 'email',
          conversation: 'chat',
          whatsapp: 'chat',
          facebook: 'chat',
          instagram: 'chat',
          phone_call: 'phone',
          '*': 'portal',
        },
      },
    },
    ticket_comments: {
      belowTickets: true,
      first: ({ ticket }) => ({
        path: pathOf(`/conversations/${encodeURIComponent(ticket)}`, { display_as: 'plaintext' }),
      }),
      read: (answer, _at, { ticket }) => ({
        records: partsOf(answer).flatMap((part) => commentOf(part, ticket)),
        next: null,
        files: attached(answer, ticket).flatMap(({ list, of, holder }) => filesOf(list, of, holder, ticket)),
      }),
    },
  },
};

/** What its search finds, oldest first, so that what changes meanwhile moves nothing. */
function searched(
  path: string,
  name: string,
  to: (said: Said, id: string, reading: Reading) => Promise<ServiceRecord> | ServiceRecord,
): ServiceEntity {
  return {
    first: ({ since }) => ({
      method: 'POST',
      path,
      body: {
        query: { field: 'updated_at', operator: '>', value: epochSeconds(since) },
        sort: { field: 'created_at', order: 'ascending' },
        pagination: { per_page: SIZE },
      },
    }),
    read: async (answer, at, reading) => {
      const records: ServiceRecord[] = [];
      for (const said of listIn(answer, name)) {
        const id = idOf(said.id);
        if (id !== null) records.push(await to(said, id, reading));
      }
      return { records, next: behind(answer, at), total: countIn(objectOf(answer), 'total_count') };
    },
  };
}

function behind(answer: unknown, at: ServiceRequest): ServiceRequest | null {
  const starting_after = textIn(within(within(objectOf(answer), 'pages'), 'next'), 'starting_after');
  return starting_after === null
    ? null
    : { ...at, body: { ...at.body, pagination: { per_page: SIZE, starting_after } } };
}

function companyPage(answer: unknown, at: ServiceRequest): ServicePage {
  const { page, total_pages } = within(objectOf(answer), 'pages');
  const isOver = typeof page !== 'number' || typeof total_pages !== 'number' || page >= total_pages;
  const next = isOver ? null : { ...at, path: pathOf('/companies/list', { page: page + 1, per_page: SIZE }) };
  const records = listIn(answer, 'data').flatMap((said): ServiceRecord[] => {
    const id = idOf(said.id);
    const { name, website, industry, created_at, updated_at } = said;
    const fields = { name, website, industry, created_at, updated_at };
    return id === null || textIn(said, 'name') === null
      ? []
      : [{ id, fields, titled: within(said, 'custom_attributes') }];
  });
  return { records, next, total: countIn(objectOf(answer), 'total_count') };
}

function userOf(said: Said): ServiceRecord[] {
  const id = idOf(said.id);
  const { name, email, job_title: title } = said;
  return id === null || textIn(said, 'email') === null ? [] : [{ id, fields: { name, email, title, role: 'agent' } }];
}

function contactOf(said: Said, id: string): ServiceRecord {
  const { name, email, phone, created_at, updated_at } = said;
  const companies = within(said, 'companies');
  const [company] = Array.isArray(companies.data) ? listIn(companies, 'data') : [];
  const fields = {
    name,
    email,
    phone,
    company_id: company?.id ?? null,
    language: said.language_override,
    created_at,
    updated_at,
  };
  return { id, fields, titled: within(said, 'custom_attributes') };
}

/** A conversation without a title has the beginning of its first message. */
async function ticketOf(said: Said, id: string, reading: Reading): Promise<ServiceRecord> {
  const source = within(said, 'source');
  const author = within(source, 'author');
  const text = htmlText(textIn(source, 'body') ?? '').trim();
  const contacts = within(said, 'contacts');
  const [contact] = Array.isArray(contacts.contacts) ? listIn(contacts, 'contacts') : [];
  const isTheirs = author.type !== 'admin' && author.type !== 'bot';
  // Who was written to first is the one who asks.
  const other = isTheirs
    ? undefined
    : (await reading.people(idOf(contact?.id) === null ? [] : [String(contact?.id)])).get(String(contact?.id));
  const tags = within(said, 'tags');
  const rating = within(said, 'conversation_rating');
  const { state: status, priority, admin_assignee_id: assigned_to, created_at, updated_at } = said;
  const fields = {
    ...{ status, priority, assigned_to, created_at, updated_at },
    subject:
      textIn(said, 'title') ?? textIn(source, 'subject') ?? (firstCharacters(text, HEADLINE) || `Conversation ${id}`),
    description: text,
    channel: source.type,
    requester_email: isTheirs ? author.email : other?.email,
    requester_name: isTheirs ? author.name : other?.name,
    tags: Array.isArray(tags.tags) ? listIn(tags, 'tags').map(({ name }) => name) : null,
    closed_at: within(said, 'statistics').last_close_at,
    csat_score: rating.rating,
    csat_comment: rating.remark,
  };
  return { id, fields, titled: within(said, 'custom_attributes') };
}

function partsOf(answer: unknown): Said[] {
  const parts = within(objectOf(answer), 'conversation_parts');
  return Array.isArray(parts.conversation_parts) ? listIn(parts, 'conversation_parts') : [];
}

/** Lists of files of a conversation: those of its first message, and of its parts. */
function attached(answer: unknown, ticket: string): { list: unknown; of: ComingFile['of']; holder: string }[] {
  const first = { list: within(objectOf(answer), 'source').attachments, of: 'tickets', holder: ticket } as const;
  const parts = partsOf(answer).flatMap((part) => {
    const holder = idOf(part.id);
    return holder === null ? [] : [{ list: part.attachments, of: 'ticket_comments', holder } as const];
  });
  return [first, ...parts];
}

/** Files have no ids: they are known by what they are attached to, and their place there. */
function filesOf(list: unknown, of: ComingFile['of'], holder: string, ticket: string): ComingFile[] {
  const names = { filename: 'name', type: 'content_type', size: 'filesize' };
  return filesIn(list, of, holder, names, { ticket }, (_file, place) => fileId(of, holder, place));
}

const fileId = (of: string, holder: string, place: number): string =>
  `${of === 'tickets' ? 'conversation' : 'part'}-${holder}-${place + 1}`;

/** Parts that say nothing are what was done: assignments, openings; one with files says these. */
function commentOf(part: Said, ticket_id: string): ServiceRecord[] {
  const id = idOf(part.id);
  const body = typeof part.body === 'string' ? htmlText(part.body).trim() : '';
  const names = Array.isArray(part.attachments) ? listIn(part, 'attachments').map(({ name }) => String(name)) : [];
  if (id === null || (body === '' && names.length === 0)) return [];
  const author = within(part, 'author');
  const isTheirs = author.type === 'user' || author.type === 'lead' || author.type === 'contact';
  const fields = {
    ...{ ticket_id, body: body || names.join(', '), is_internal: String(part.part_type).startsWith('note') },
    author_email: author.email,
    author_name: author.name,
    author_type: isTheirs ? 'requester' : author.type === 'bot' ? 'automation' : 'agent',
    created_at: part.created_at,
  };
  return [{ id, fields }];
}
