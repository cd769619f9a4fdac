import type { Asked, FakeService } from './fake-service';
import { AGENTS, COMPANIES, CONTACTS, filesOf, GROUPS, isAgent, type OldDesk, PAGE, personOf } from './old-desk';

const TOKEN = 'zammad-token';
const STATE = { open: 'open', on_hold: 'pending reminder', resolved: 'closed' };
const PRIORITY = { medium: '2 normal', high: '3 high' };

/**
 * Shapes of the Zammad API, https://docs.zammad.org/en/latest/api/: intro.html (token, `expand`, paging), ticket/index.html,
 * ticket/articles.html (`by_ticket`, `ticket_attachment`), ticket/tags.html, user.html, organization.html, group.html, object.html.
 */
export const zammadServer: FakeService = {
  source: 'zammad',
  done: 'closed',
  connection: (base) => ({ base_url: base, token: TOKEN }),
  isLetIn: ({ headers }) => headers.authorization === `Token token=${TOKEN}`,
  file: ({ path }) => /^\/api\/v1\/ticket_attachment\/\d+\/\d+\/(\d+)$/.exec(path)?.[1],
  answer(asked, desk) {
    const [, ticket] = /^\/api\/v1\/ticket_articles\/by_ticket\/(\d+)$/.exec(asked.path) ?? [];
    if (ticket !== undefined) return articlesOf(Number(ticket), desk);
    switch (asked.path) {
      case '/api/v1/users/me':
        return { id: 3, login: 'admin', roles: ['Admin'] };
      case '/api/v1/organizations':
        return pageOf(
          asked,
          COMPANIES.map((company) => ({ ...company, note: '', active: true, shared: true })),
        );
      case '/api/v1/users':
        return pageOf(asked, [
          { id: 1, login: '-', firstname: '-', lastname: '', email: '', roles: [], active: false },
          ...AGENTS.map((agent) => userOf(agent, ['Agent'])),
          ...CONTACTS.map(({ company, ...contact }) => ({
            ...userOf(contact, ['Customer']),
            organization_id: company,
          })),
        ]);
      case '/api/v1/groups':
        return pageOf(
          asked,
          GROUPS.map((group) => ({ ...group, note: null, active: true })),
        );
      case '/api/v1/tags':
        return { tags: desk.tickets.find(({ id }) => id === Number(asked.query.get('o_id')))?.tags ?? [] };
      case '/api/v1/object_manager_attributes':
        return [
          { id: 1, name: 'title', object: 'Ticket', display: 'Title', editable: false },
          { id: 2, name: 'order_no', object: 'Ticket', display: 'Order number', editable: true },
          { id: 3, name: 'shoe_size', object: 'User', display: 'Shoe size', editable: true },
        ];
      case '/api/v1/tickets':
        return pageOf(
          asked,
          desk.tickets.map(({ id, subject, status, priority, requester, assignee, company, order, ...dated }) => ({
            ...{
              id,
              number: `6${id}`,
              title: subject,
              state: STATE[status],
              priority: PRIORITY[priority],
              group: 'Hardware',
              group_id: 601,
            },
            ...{
              customer_id: requester,
              customer: personOf(requester)?.email,
              owner_id: assignee ?? 1,
              organization_id: company,
            },
            ...{ order_no: order, created_at: dated.created_at, updated_at: dated.updated_at },
            close_at: status === 'resolved' ? dated.updated_at : null,
          })),
        );
      default:
        return undefined;
    }
  },
};

function userOf({ name, email, ...user }: (typeof AGENTS)[number], roles: readonly string[]): object {
  const [firstname, lastname] = name.split(' ');
  return { ...user, login: email, firstname, lastname, email, roles, active: true };
}

/** The description is the first article. */
function articlesOf(ticket: number, desk: OldDesk): object[] {
  const { tickets, comments } = desk;
  const first = tickets
    .filter(({ id }) => id === ticket)
    .map(({ id, requester, description, created_at }) => ({
      id,
      author: requester,
      body: description,
      isPublic: true,
      created_at,
    }));
  return [...first, ...comments.filter((comment) => comment.ticket === ticket)].map(
    ({ id, author, body, isPublic, created_at }) => {
      const { name = '', email = '' } = personOf(author) ?? {};
      return {
        ...{
          id,
          ticket_id: ticket,
          type: 'email',
          sender: isAgent(author) ? 'Agent' : 'Customer',
          internal: !isPublic,
          created_at,
        },
        ...{
          from: `${name} <${email}>`,
          created_by: email,
          content_type: 'text/html',
          body: `<div>${body}</div>`,
          attachments: filesOf(desk, ticket, id === ticket ? null : id).map((file) => ({
            ...{ id: file.id, filename: file.name, size: String(file.content.length) },
            preferences: { 'Content-Type': 'text/plain' },
          })),
        },
      };
    },
  );
}

function pageOf({ query }: Asked, list: readonly object[]): object[] {
  const from = (Number(query.get('page') ?? 1) - 1) * PAGE;
  return list.slice(from, from + PAGE);
}
