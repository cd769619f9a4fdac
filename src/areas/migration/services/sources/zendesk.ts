import { EmailSetting, TextSetting, UrlSetting } from '../../../../platform/area/settings';
import { byId, countIn, epochSeconds, idOf, listIn, objectOf, type Said, textIn, within } from '../said';
import { filesIn } from '../said-files';
import { pathOf } from '../service-links';
import { basic, bearer } from '../service-credentials';
import type { Reading, ServiceEntity, ServicePage, ServiceRecord, ServiceSource, Settings } from '../service-source';
import { ZENDESK_ASSETS } from './zendesk-assets';
import { cursorPage, moments, recordsOf, type ToRecord } from './zendesk-pages';

/** Records of a page: what is parsed at once stays within some megabytes. */
const SIZE = 200;
/** Ids that `show_many` takes. */
const MANY = 100;

/** Settings of a Zendesk account. */
export class ZendeskConfig {
  @UrlSetting({ title: 'Address', description: '`https://acme.zendesk.com`', required: true })
  base_url: string;

  @EmailSetting({ title: 'Who asks', description: 'An admin: exports are for admins alone. With `api_token`.' })
  email?: string;

  @TextSetting({ title: 'API token', secret: true, min: 1, max: 500 })
  api_token?: string;

  @TextSetting({
    title: 'OAuth token',
    description: 'In place of both, with the scope `read`.',
    secret: true,
    min: 1,
    max: 2_000,
  })
  oauth_token?: string;
}

/**
 * Zendesk Support. Records that change are read by its incremental exports (from a moment on, `end_of_stream` at the end), the rest by
 * cursor paging; comments are those of its ticket events, authors looked up by the hundred; files are asked for by their ids. Documentation:
 * developer.zendesk.com/api-reference/ticketing/ticket-management/incremental_exports, …/tickets/ticket-fields, …/users/users,
 * …/groups/groups, …/tickets/ticket-attachments, …/introduction/pagination, …/introduction/security-and-auth, …/it-asset-management/assets.
 */
export const zendesk: ServiceSource = {
  name: 'Zendesk',
  docs_url: 'https://developer.zendesk.com/api-reference/',
  config: ZendeskConfig,
  headers,
  problem: ({ email, api_token, oauth_token }) =>
    oauth_token !== undefined || (email !== undefined && api_token !== undefined)
      ? null
      : {
          field: 'connection.api_token',
          message: 'Zendesk is asked with "email" and "api_token", or with "oauth_token".',
        },
  // "The file may be hosted externally so take care not to inadvertently send Zendesk authentication credentials" (ticket attachments).
  fileHosts: /(^|\.)(zdusercontent|zendesk)\.com$/,
  locate: async ({ id }, reading) => {
    const answer = await reading.ask({ path: `/api/v2/attachments/${encodeURIComponent(id)}.json` });
    const url = textIn(within(objectOf(answer), 'attachment'), 'content_url');
    return url === null ? null : { url };
  },
  probe: { path: '/api/v2/users/me.json' },
  // Who is nobody is answered all the same, as a user without an id.
  isLetIn: (answer) => idOf(within(objectOf(answer), 'user').id) !== null,
  entities: {
    companies: timeExport('organizations', companyOf, '/api/v2/organizations/count.json'),
    users: {
      first: () => ({ path: '/api/v2/users.json?role%5B%5D=agent&role%5B%5D=admin&page%5Bsize%5D=100' }),
      read: (answer, _at, reading) => cursorPage(answer, 'users', reading, userOf),
    },
    contacts: {
      first: ({ since }) => ({
        path: pathOf('/api/v2/incremental/users/cursor.json', { start_time: epochSeconds(since), per_page: SIZE }),
      }),
      read: (answer, _at, reading) => exportPage(answer, 'users', reading, contactOf),
      count: (reading) => counted(reading, '/api/v2/users/count.json?role=end-user'),
    },
    categories: {
      first: () => ({ path: '/api/v2/groups.json?page%5Bsize%5D=100' }),
      read: (answer, _at, reading) => cursorPage(answer, 'groups', reading, groupOf),
    },
    tickets: {
      first: ({ since }) => ({
        path: pathOf('/api/v2/incremental/tickets/cursor.json', {
          start_time: epochSeconds(since),
          per_page: SIZE,
          exclude_deleted: 'true',
          include: 'users,metric_sets',
        }),
      }),
      read: ticketPage,
      count: (reading) => counted(reading, '/api/v2/tickets/count.json'),
      values: {
        status: {
          new: 'open',
          open: 'open',
          pending: 'on_hold',
          hold: 'on_hold',
          solved: 'resolved',
          closed: 'closed',
        },
        priority: { low: 'low', normal: 'medium', high: 'high', urgent: 'urgent' },
        channel: { email: 'email', voice: 'phone', chat: 'chat', native_messaging: 'chat', '*': 'portal' },
      },
    },
    ticket_comments: {
      first: ({ since }) => ({
        path: pathOf('/api/v2/incremental/ticket_events.json', {
          start_time: epochSeconds(since),
          per_page: SIZE,
          include: 'comment_events',
        }),
      }),
      read: commentPage,
    },
    assets: ZENDESK_ASSETS,
  },
};

function headers({ email, api_token, oauth_token }: Settings): Record<string, string> {
  return typeof oauth_token === 'string' ? bearer(oauth_token) : basic(`${String(email)}/token`, api_token);
}

/** Exports by time: `next_page` and `end_of_stream`, or fewer than a page. */
function timeExport(name: string, to: ToRecord, count: string): ServiceEntity {
  return {
    first: ({ since }) => ({
      path: pathOf(`/api/v2/incremental/${name}.json`, { start_time: epochSeconds(since), per_page: SIZE }),
    }),
    read: (answer, _at, reading) => ({
      records: recordsOf(listIn(answer, name), to),
      next: nextByTime(answer, reading),
    }),
    count: (reading) => counted(reading, count),
  };
}

function nextByTime(answer: unknown, reading: Reading): ServicePage['next'] {
  const said = objectOf(answer);
  const link = textIn(said, 'next_page');
  return said.end_of_stream === true || link === null ? null : reading.follow(link);
}

/** Exports by cursor: `after_url` until `end_of_stream`. */
function exportPage(answer: unknown, name: string, reading: Reading, to: ToRecord): ServicePage {
  const said = objectOf(answer);
  const link = textIn(said, 'after_url');
  const next = said.end_of_stream === true || link === null ? null : reading.follow(link);
  return { records: recordsOf(listIn(answer, name), to), next };
}

async function counted(reading: Reading, path: string): Promise<number | null> {
  return countIn(within(objectOf(await reading.ask({ path })), 'count'), 'value');
}

/** Deleted ones come in exports, too. */
function companyOf(said: Said, id: string): ServiceRecord | null {
  if (textIn(said, 'deleted_at') !== null) return null;
  const { name, domain_names: domains, details, notes, tags } = said;
  const text = [details, notes].filter((part) => typeof part === 'string' && part !== '').join('\n\n');
  return {
    id,
    fields: { name, domains, notes: text, tags, ...moments(said) },
    titled: within(said, 'organization_fields'),
  };
}

function userOf(said: Said, id: string): ServiceRecord | null {
  const { name, email, phone, time_zone: _zone, locale, role_type } = said;
  // Role type 1 is the light agent; admins are made here, by people.
  return {
    id,
    fields: { name, email, phone, locale, role: role_type === 1 ? 'light_agent' : 'agent', ...moments(said) },
  };
}

function contactOf(said: Said, id: string): ServiceRecord | null {
  if (said.role !== 'end-user' || said.active === false || said.permanently_deleted === true) return null;
  const { name, email, phone, organization_id: company_id, details, notes, locale: language, tags } = said;
  const text = [details, notes].filter((part) => typeof part === 'string' && part !== '').join('\n\n');
  const fields = { name, email, phone, company_id, notes: text, language, tags, ...moments(said) };
  return { id, fields, titled: within(said, 'user_fields') };
}

function groupOf(said: Said, id: string): ServiceRecord | null {
  const { name, description, deleted } = said;
  return deleted === true ? null : { id, fields: { name, description, ...moments(said) } };
}

async function ticketPage(answer: unknown, _at: unknown, reading: Reading): Promise<ServicePage> {
  const said = objectOf(answer);
  const users = byId(Array.isArray(said.users) ? listIn(said, 'users') : []);
  const metrics = byId(Array.isArray(said.metric_sets) ? listIn(said, 'metric_sets') : [], 'ticket_id');
  const titles = byId(listIn(await reading.askOnce({ path: '/api/v2/ticket_fields.json' }), 'ticket_fields'));
  return exportPage(answer, 'tickets', reading, (ticket, id) => {
    if (ticket.status === 'deleted') return null;
    const requester = users.get(idOf(ticket.requester_id) ?? '') ?? {};
    const { subject, raw_subject, description, status, priority, type, tags } = ticket;
    const { score, comment: csat_comment } = within(ticket, 'satisfaction_rating');
    const fields = {
      ...{ subject: subject ?? raw_subject, description, status, priority, type, tags },
      channel: within(ticket, 'via').channel,
      requester_email: requester.email,
      requester_name: requester.name,
      assigned_to: ticket.assignee_id,
      category_id: ticket.group_id,
      company_id: ticket.organization_id,
      parent_id: ticket.problem_id,
      resolved_at: metrics.get(id)?.solved_at,
      csat_score: score === 'good' ? 5 : score === 'bad' ? 1 : null,
      csat_comment,
      ...moments(ticket),
    };
    return { id, fields, titled: titledFields(ticket, titles) };
  });
}

/** Fields that Zendesk itself has in every account are fields of the ticket already. */
const OWN = new Set([
  ...['subject', 'description', 'status', 'custom_status', 'tickettype', 'priority', 'basic_priority', 'group'],
  'assignee',
]);

function titledFields(ticket: Said, titles: ReadonlyMap<string, Said>): Record<string, unknown> {
  if (!Array.isArray(ticket.custom_fields)) return {};
  return Object.fromEntries(
    listIn(ticket, 'custom_fields').flatMap(({ id, value }): [string, unknown][] => {
      const field = titles.get(idOf(id) ?? '');
      return field && OWN.has(String(field.type)) ? [] : [[String(field?.title ?? id), value]];
    }),
  );
}

/** The comment that came with the ticket is its description. */
async function commentPage(answer: unknown, _at: unknown, reading: Reading): Promise<ServicePage> {
  const all = listIn(answer, 'ticket_events').flatMap((event) => {
    const children = Array.isArray(event.child_events) ? listIn(event, 'child_events') : [];
    const isFirst = children.some(({ event_type }) => event_type === 'Create');
    return children.filter(isComment).map((comment) => ({ event, comment, isFirst }));
  });
  const found = all.filter(({ isFirst }) => !isFirst);
  const files = all.flatMap(({ event, comment, isFirst }) => {
    const holder = idOf(isFirst ? event.ticket_id : comment.id);
    return holder === null
      ? []
      : filesIn(comment.attachments, isFirst ? 'tickets' : 'ticket_comments', holder, FILE_NAMES);
  });
  const ids = [...new Set(found.flatMap(({ comment }) => idOf(comment.author_id) ?? []))];
  const authors = new Map<string, Said>();
  for (let at = 0; at < ids.length; at += MANY) {
    const path = pathOf('/api/v2/users/show_many.json', { ids: ids.slice(at, at + MANY).join(',') });
    for (const [id, user] of byId(listIn(await reading.ask({ path }), 'users'))) authors.set(id, user);
  }
  const records = found.flatMap(({ event, comment }): ServiceRecord[] => {
    const id = idOf(comment.id);
    const author = authors.get(idOf(comment.author_id) ?? '') ?? {};
    const fields = {
      ticket_id: event.ticket_id,
      body: comment.plain_body ?? comment.body,
      is_internal: comment.public === false,
      author_email: author.email,
      author_name: author.name,
      author_type: author.role === 'end-user' ? 'requester' : 'agent',
      created_at: comment.created_at ?? event.created_at ?? event.timestamp,
    };
    return id === null ? [] : [{ id, fields }];
  });
  return { records, next: nextByTime(answer, reading), files };
}

const FILE_NAMES = { filename: 'file_name', type: 'content_type', size: 'size' };

function isComment({ event_type, body, plain_body }: Said): boolean {
  return typeof event_type === 'string' && event_type.endsWith('Comment') && typeof (plain_body ?? body) === 'string';
}
