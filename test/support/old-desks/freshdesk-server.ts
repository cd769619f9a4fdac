import type { Asked, FakeService } from './fake-service';
import { AGENTS, COMPANIES, CONTACTS, filesOf, GROUPS, isAgent, type OldTicket, PAGE, personOf } from './old-desk';

const KEY = 'freshdesk-key';
const STATUS = { open: 2, on_hold: 3, resolved: 4 };
const PRIORITY = { medium: 2, high: 3 };

/**
 * Shapes of the Freshdesk API v2, https://developers.freshdesk.com/api/: #list_all_tickets (`updated_since`, `include`), #list_all_ticket_notes
 * (conversations), #view_a_ticket (`attachments`), #list_all_contacts, #list_all_companies, #list_all_agents, #list_all_groups, #list_all_ticket_fields, #pagination,
 * #authentication, #source_status_priority for the numbers.
 */
export const freshdeskServer: FakeService = {
  source: 'freshdesk',
  connection: (base) => ({ base_url: base, api_key: KEY }),
  isLetIn: ({ headers }) => headers.authorization === `Basic ${Buffer.from(`${KEY}:X`).toString('base64')}`,
  file: ({ path }) => /^\/data\/(\d+)$/.exec(path)?.[1],
  answer(asked, desk) {
    const attached = (at: number, comment: number | null): object[] =>
      filesOf(desk, at, comment).map(({ id, name, content }) => ({
        ...{ id, name, size: content.length, content_type: 'text/plain', attachment_url: `${asked.base}/data/${id}` },
        ...{ created_at: '2019-03-02T09:00:00Z', updated_at: '2019-03-02T09:00:00Z' },
      }));
    const [, one] = /^\/api\/v2\/tickets\/(\d+)$/.exec(asked.path) ?? [];
    if (one !== undefined) return { id: Number(one), attachments: attached(Number(one), null) };
    const [, ticket] = /^\/api\/v2\/tickets\/(\d+)\/conversations$/.exec(asked.path) ?? [];
    if (ticket !== undefined)
      return desk.comments
        .filter((comment) => comment.ticket === Number(ticket))
        .map(({ id, author, body, isPublic, created_at }) => ({
          ...{ id, body: `<div>${body}</div>`, body_text: body, incoming: !isAgent(author), private: !isPublic },
          ...{
            user_id: author,
            source: isPublic ? 0 : 2,
            ticket_id: Number(ticket),
            created_at,
            updated_at: created_at,
          },
          ...{
            from_email: isAgent(author) ? 'support@here.example' : `"x" <${personOf(author)?.email}>`,
            attachments: attached(Number(ticket), id),
          },
        }));
    switch (asked.path) {
      case '/api/v2/agents/me':
        return { id: 401, contact: AGENTS[0] };
      case '/api/v2/agents':
        return pageOf(
          asked,
          AGENTS.map(({ id, name, email, ...dated }) => ({
            id,
            type: 'support_agent',
            contact: { name, email },
            ...dated,
          })),
        );
      case '/api/v2/companies':
        return pageOf(
          asked,
          COMPANIES.map(({ domain, ...company }) => ({ ...company, domains: [domain], custom_fields: {} })),
        );
      case '/api/v2/contacts':
        return pageOf(
          asked,
          CONTACTS.map(({ company, ...contact }) => ({ ...contact, company_id: company, tags: [], custom_fields: {} })),
        );
      case '/api/v2/groups':
        return pageOf(asked, GROUPS);
      case '/api/v2/ticket_fields':
        return [
          {
            id: 1,
            name: 'status',
            type: 'default_status',
            label: 'Status',
            choices: {
              2: ['Open', 'Being Processed'],
              3: ['Pending', 'Awaiting your Reply'],
              4: ['Resolved', 'Resolved'],
            },
          },
          { id: 2, name: 'cf_order_number', type: 'custom_text', label: 'Order number', default: false },
        ];
      case '/api/v2/tickets': {
        const since = Date.parse(asked.query.get('updated_since') ?? '');
        return pageOf(asked, desk.tickets.filter(({ updated_at }) => Date.parse(updated_at) >= since).map(ticketOf));
      }
      default:
        return undefined;
    }
  },
};

function ticketOf({
  requester,
  assignee,
  company,
  order,
  status,
  priority,
  description,
  ...ticket
}: OldTicket): object {
  const person = personOf(requester);
  return {
    ...ticket,
    ...{
      description: `<div>${description}</div>`,
      description_text: description,
      source: 1,
      type: 'Incident',
      spam: false,
    },
    ...{
      status: STATUS[status],
      priority: PRIORITY[priority],
      responder_id: assignee,
      company_id: company,
      group_id: 601,
    },
    ...{ requester_id: requester, requester: person, custom_fields: { cf_order_number: order } },
    stats: { resolved_at: status === 'resolved' ? ticket.updated_at : null, closed_at: null },
  };
}

function pageOf({ query }: Asked, list: readonly object[]): object[] {
  const from = (Number(query.get('page') ?? 1) - 1) * PAGE;
  return list.slice(from, from + PAGE);
}
