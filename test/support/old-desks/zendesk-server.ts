import type { Asked, FakeService } from './fake-service';
import {
  AGENTS,
  COMPANIES,
  CONTACTS,
  filesOf,
  GROUPS,
  isAgent,
  type OldDesk,
  type OldFile,
  type OldTicket,
  pageOf,
  personOf,
} from './old-desk';

const EMAIL = 'admin@here.example';
const TOKEN = 'zendesk-token';
const WORDS = {
  status: { open: 'new', on_hold: 'pending', resolved: 'solved' },
  priority: { medium: 'normal', high: 'high' },
};

interface Dated {
  updated_at: string;
  [member: string]: unknown;
}

const seconds = (moment: string): number => Math.floor(Date.parse(moment) / 1_000);

/**
 * Shapes of the Zendesk API:
 * https://developer.zendesk.com/api-reference/ticketing/ticket-management/incremental_exports/ (exports by cursor and by time, `comment_events`),
 * https://developer.zendesk.com/api-reference/ticketing/tickets/tickets/ and …/tickets/ticket_fields/,
 * https://developer.zendesk.com/api-reference/ticketing/users/users/ (`show_many`, `me`), …/groups/groups/, …/organizations/organizations/,
 * https://developer.zendesk.com/api-reference/ticketing/tickets/ticket-attachments/ (`content_url`),
 * https://developer.zendesk.com/api-reference/introduction/pagination/ and …/security-and-auth/. Children of ticket events as in
 * https://developer.zendesk.com/documentation/ticketing/reference-guides/ticket-audit-events-reference.
 */
export const zendeskServer: FakeService = {
  source: 'zendesk',
  connection: (base) => ({ base_url: base, email: EMAIL, api_token: TOKEN }),
  isLetIn: ({ headers }) =>
    headers.authorization === `Basic ${Buffer.from(`${EMAIL}/token:${TOKEN}`).toString('base64')}`,
  file: ({ path }) => /^\/attachments\/token\/(\d+)$/.exec(path)?.[1],
  answer(asked, desk) {
    const [, file] = /^\/api\/v2\/attachments\/(\d+)\.json$/.exec(asked.path) ?? [];
    if (desk.files.some(({ id }) => String(id) === file))
      return { attachment: { id: Number(file), content_url: `${asked.base}/attachments/token/${file}` } };
    switch (asked.path) {
      case '/api/v2/users/me.json':
        return { user: { id: 1, email: EMAIL, role: 'admin' } };
      case '/api/v2/users.json':
        return byCursor(asked, 'users', [...AGENTS.map((agent) => ({ ...agent, role: 'agent', active: true }))]);
      case '/api/v2/groups.json':
        return byCursor(
          asked,
          'groups',
          GROUPS.map((group) => ({ ...group, deleted: false })),
        );
      case '/api/v2/users/show_many.json':
        return {
          users: (asked.query.get('ids') ?? '').split(',').flatMap((id) => {
            const person = personOf(Number(id));
            return person ? [{ ...person, role: isAgent(person.id) ? 'agent' : 'end-user' }] : [];
          }),
        };
      case '/api/v2/tickets/count.json':
        return { count: { value: desk.tickets.length, refreshed_at: '2026-01-01T00:00:00Z' } };
      case '/api/v2/users/count.json':
        return { count: { value: CONTACTS.length, refreshed_at: '2026-01-01T00:00:00Z' } };
      case '/api/v2/organizations/count.json':
        return { count: { value: COMPANIES.length, refreshed_at: '2026-01-01T00:00:00Z' } };
      case '/api/v2/ticket_fields.json':
        return {
          ticket_fields: [
            { id: 71, type: 'status', title: 'Status' },
            { id: 72, type: 'text', title: 'Order number' },
          ],
        };
      case '/api/v2/incremental/organizations.json':
        return byTime(
          asked,
          'organizations',
          COMPANIES.map(({ domain, ...company }) => ({
            ...{ ...company, domain_names: [domain], tags: [], details: null, notes: null, deleted_at: null },
            organization_fields: {},
          })),
        );
      case '/api/v2/incremental/users/cursor.json':
        return exported(asked, 'users', [
          ...AGENTS.map((agent) => ({ ...agent, role: 'agent', active: true })),
          ...CONTACTS.map(({ company, ...contact }) => ({
            ...contact,
            organization_id: company,
            role: 'end-user',
            active: true,
            locale: 'en-US',
          })),
        ]);
      case '/api/v2/incremental/tickets/cursor.json':
        return {
          ...exported(asked, 'tickets', desk.tickets.map(ticketOf)),
          users: [...AGENTS, ...CONTACTS],
          metric_sets: desk.tickets.map(({ id, status, updated_at }) => ({
            ticket_id: id,
            solved_at: status === 'resolved' ? updated_at : null,
          })),
        };
      case '/api/v2/incremental/ticket_events.json':
        return byTime(asked, 'ticket_events', eventsOf(desk));
      case '/api/v2/it_asset_management/assets':
        return byCursor(asked, 'assets', ASSETS);
      case '/api/v2/it_asset_management/statuses':
        return { statuses: ['In use', 'Quarantine'].map((name, index) => ({ id: `S${index}`, name })) };
      case '/api/v2/it_asset_management/asset_types':
        return { asset_types: ['Laptop', 'Beamer'].map((name, index) => ({ id: `T${index}`, name })) };
      default:
        return undefined;
    }
  },
};

/** Assets of https://developer.zendesk.com/api-reference/it-asset-management/assets/: ids are texts, whoever has one is a user. */
const ASSETS = [
  { id: 'A1', name: 'Laptop of Paul', asset_type_id: 'T0', status_id: 'S0', user_id: 501, organization_id: 301 },
  { id: 'A2', name: 'Laptop of Ines', asset_type_id: 'T0', status_id: 'S0', user_id: 401, serial_number: 'SN-2' },
  {
    id: 'A3',
    name: 'Beamer',
    asset_type_id: 'T1',
    status_id: 'S1',
    purchase_cost: 99.5,
    custom_field_values: { room: 3 },
  },
].map((asset) => ({ ...asset, created_at: '2019-02-01T08:00:00Z', updated_at: '2019-02-02T08:00:00Z' }));

function ticketOf({ requester, assignee, company, order, status, priority, ...ticket }: OldTicket): Dated {
  return {
    ...ticket,
    ...{ status: WORDS.status[status], priority: WORDS.priority[priority], type: null, via: { channel: 'email' } },
    ...{ requester_id: requester, assignee_id: assignee, organization_id: company, group_id: 601, problem_id: null },
    custom_fields: [
      { id: 71, value: null },
      { id: 72, value: order },
    ],
    satisfaction_rating: status === 'resolved' ? { score: 'good', comment: 'Quick' } : { score: 'unoffered' },
  };
}

/** The description comes as the comment of the event by which the ticket was made. */
function eventsOf(desk: OldDesk): Dated[] {
  const { tickets, comments } = desk;
  const made = tickets.map(({ id, requester, description, status, created_at }) => ({
    ...{ id: 10_000 + id, ticket_id: id, timestamp: seconds(created_at), created_at, updated_at: created_at },
    ...{ updater_id: requester, event_type: 'Audit' },
    child_events: [
      { id: 20_000 + id, event_type: 'Create', status: WORDS.status[status] },
      {
        id: 30_000 + id,
        event_type: 'Comment',
        type: 'Comment',
        author_id: requester,
        body: description,
        public: true,
        attachments: filesOf(desk, id, null).map(attachmentOf),
        created_at,
      },
    ],
  }));
  const said = comments.map(({ id, ticket, author, body, isPublic, created_at }) => ({
    ...{ id: 40_000 + id, ticket_id: ticket, timestamp: seconds(created_at), created_at, updated_at: created_at },
    ...{ updater_id: author, event_type: 'Audit' },
    child_events: [
      { id: 50_000 + id, event_type: 'Change', status: 'open', previous_value: 'new' },
      {
        id,
        event_type: 'Comment',
        type: 'Comment',
        author_id: author,
        body,
        plain_body: body,
        public: isPublic,
        attachments: filesOf(desk, ticket, id).map(attachmentOf),
        created_at,
      },
    ],
  }));
  return [...made, ...said].sort((one, other) => one.timestamp - other.timestamp);
}

function attachmentOf({ id, name, content, size = content.length }: OldFile): object {
  return { id, file_name: name, content_type: 'text/plain', size, inline: false };
}

function since<T extends Dated>({ query }: Asked, list: readonly T[]): T[] {
  return list.filter(({ updated_at }) => seconds(updated_at) >= Number(query.get('start_time') ?? 0));
}

/** Cursor-based export: the moment is in the cursor. */
function exported(asked: Asked, name: string, list: readonly Dated[]): object {
  const [start = '0', from = '0'] = (asked.query.get('cursor') ?? `${asked.query.get('start_time')}-0`).split('-');
  const changed = list.filter(({ updated_at }) => seconds(updated_at) >= Number(start));
  const { page, next } = pageOf(changed, Number(from));
  const cursor = `${start}-${next ?? changed.length}`;
  return {
    [name]: page,
    after_cursor: cursor,
    after_url: `${asked.base}${asked.path}?cursor=${cursor}`,
    end_of_stream: next === null,
  };
}

/** Time-based export; `page` stands for the moment of the last one, which tests have too few of. */
function byTime(asked: Asked, name: string, list: readonly Dated[]): object {
  const { page, next } = pageOf(since(asked, list), Number(asked.query.get('page') ?? 0));
  const url = new URL(`${asked.base}${asked.path}?${asked.query.toString()}`);
  url.searchParams.set('page', String(next ?? 0));
  return { [name]: page, count: page.length, next_page: url.href, end_time: 0, end_of_stream: next === null };
}

/** Cursor paging of lists. */
function byCursor(asked: Asked, name: string, list: readonly object[]): object {
  const { page, next } = pageOf(list, Number(asked.query.get('page[after]') ?? 0));
  return {
    [name]: page,
    meta: { has_more: next !== null, after_cursor: String(next) },
    links: { next: next === null ? null : `${asked.base}${asked.path}?page%5Bafter%5D=${next}` },
    count: list.length,
  };
}
