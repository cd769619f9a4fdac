import type { Asked, FakeService } from './fake-service';
import { AGENTS, COMPANIES, CONTACTS, filesOf, isAgent, type OldTicket, pageOf, personOf } from './old-desk';

const TOKEN = 'intercom-token';
const STATE = { open: 'open', on_hold: 'snoozed', resolved: 'closed' };

const seconds = (moment: string): number => Math.floor(Date.parse(moment) / 1_000);
const dated = ({
  created_at,
  updated_at,
}: {
  created_at: string;
  updated_at: string;
}): { created_at: number; updated_at: number } => ({
  created_at: seconds(created_at),
  updated_at: seconds(updated_at),
});

/**
 * Shapes of the Intercom API 2.11, https://developers.intercom.com/docs/references/2.11/rest-api/api.intercom.io/: conversations
 * (searchConversations, retrieveConversation), contacts (searchContacts), companies (listAllCompanies), admins (listAdmins, identifyAdmin);
 * https://developers.intercom.com/docs/build-an-integration/learn-more/rest-apis/pagination/ (`starting_after`) and
 * https://developers.intercom.com/docs/build-an-integration/learn-more/authentication/.
 */
export const intercomServer: FakeService = {
  source: 'intercom',
  done: 'closed',
  connection: (base) => ({ base_url: base, access_token: TOKEN }),
  isLetIn: ({ headers }) => headers.authorization === `Bearer ${TOKEN}` && headers['intercom-version'] === '2.11',
  file: ({ path }) => /^\/i\/o\/(\d+)$/.exec(path)?.[1],
  answer(asked, desk) {
    const attached = (at: number, comment: number | null): object[] =>
      filesOf(desk, at, comment).map(({ id: file, name, content }) => ({
        ...{
          type: 'upload',
          name,
          content_type: 'text/plain',
          filesize: content.length,
          url: `${asked.base}/i/o/${file}`,
        },
      }));
    const [, id] = /^\/conversations\/(\d+)$/.exec(asked.path) ?? [];
    const ticket = desk.tickets.find((each) => each.id === Number(id));
    if (ticket) {
      const opened = {
        id: '1',
        part_type: 'assignment',
        body: null,
        created_at: seconds(ticket.created_at),
        author: { type: 'bot', id: '9' },
      };
      const parts = desk.comments
        .filter((comment) => comment.ticket === ticket.id)
        .map(({ id: part, author, body, isPublic, created_at }) => ({
          ...{ type: 'conversation_part', id: String(part), part_type: isPublic ? 'comment' : 'note', body },
          ...{ created_at: seconds(created_at), author: authorOf(author), attachments: attached(ticket.id, part) },
        }));
      const said = conversationOf(ticket);
      return {
        ...said,
        source: { ...said.source, attachments: attached(ticket.id, null) },
        conversation_parts: {
          type: 'conversation_part.list',
          conversation_parts: [opened, ...parts],
          total_count: parts.length + 1,
        },
      };
    }
    switch (asked.path) {
      case '/me':
        return { type: 'admin', id: '401' };
      case '/admins':
        return {
          type: 'admin.list',
          admins: AGENTS.map(({ id: admin, name, email }) => ({ type: 'admin', id: String(admin), name, email })),
        };
      case '/companies/list': {
        const number = Number(asked.query.get('page'));
        const { page, next } = pageOf(COMPANIES, (number - 1) * 2);
        const data = page.map((company) => ({
          type: 'company',
          id: `c${company.id}`,
          name: company.name,
          ...dated(company),
          custom_attributes: {},
        }));
        return {
          type: 'list',
          data,
          pages: { type: 'pages', page: number, total_pages: next === null ? number : number + 1 },
          total_count: COMPANIES.length,
        };
      }
      case '/contacts/search':
        return searched(
          asked,
          'data',
          CONTACTS.map((contact) => ({
            ...{
              type: 'contact',
              id: `p${contact.id}`,
              role: 'user',
              name: contact.name,
              email: contact.email,
              ...dated(contact),
              custom_attributes: {},
            },
            companies: { type: 'list', data: [{ type: 'company', id: `c${contact.company}` }], total_count: 1 },
          })),
        );
      case '/conversations/search':
        return searched(asked, 'conversations', desk.tickets.map(conversationOf));
      default:
        return undefined;
    }
  },
};

function authorOf(id: number): object {
  return {
    type: isAgent(id) ? 'admin' : 'user',
    id: isAgent(id) ? String(id) : `p${id}`,
    name: personOf(id)?.name,
    email: personOf(id)?.email,
  };
}

function conversationOf({
  id,
  subject,
  description,
  status,
  priority,
  requester,
  assignee,
  tags,
  order,
  ...moments
}: OldTicket): { updated_at: number; source: object } {
  return {
    ...{
      type: 'conversation',
      id: String(id),
      title: subject,
      state: STATE[status],
      open: status === 'open',
      ...dated(moments),
    },
    ...{ priority: priority === 'high' ? 'priority' : 'not_priority', admin_assignee_id: assignee },
    source: {
      type: 'email',
      id: `s${id}`,
      subject,
      body: `<p>${description}</p>`,
      author: authorOf(requester),
      attachments: [],
    },
    contacts: { type: 'contact.list', contacts: [{ type: 'contact', id: `p${requester}` }] },
    tags: { type: 'tag.list', tags: tags.map((name) => ({ type: 'tag', id: name, name })) },
    custom_attributes: { 'Order number': order },
    statistics: {
      type: 'conversation_statistics',
      last_close_at: status === 'resolved' ? seconds(moments.updated_at) : null,
    },
    conversation_rating: null,
  } as { updated_at: number; source: object };
}

function searched({ body }: Asked, name: string, list: readonly { updated_at: number }[]): object {
  const { value } = body.query as { value: number };
  const { starting_after = '0' } = body.pagination as { starting_after?: string };
  const found = list.filter(({ updated_at }) => updated_at > value);
  const { page, next } = pageOf(found, Number(starting_after));
  return {
    ...{ type: 'list', [name]: page, total_count: found.length },
    pages: {
      type: 'pages',
      page: 1,
      per_page: 2,
      total_pages: 2,
      ...(next === null ? {} : { next: { starting_after: String(next) } }),
    },
  };
}
