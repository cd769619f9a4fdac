import type { Asked, FakeService } from './fake-service';
import { AGENTS, COMPANIES, CONTACTS, isAgent, type OldDesk, PAGE, pageOf, personOf } from './old-desk';

const TOKEN = 'hubspot-token';
const STAGE = { open: '1', on_hold: '2', resolved: '4' };

/** Deals: their stages tell whether they are closed, and with which probability. */
const DEAL_STAGES = [
  { id: 'presentationscheduled', label: 'Demo', metadata: { isClosed: 'false', probability: '0.6' } },
  { id: 'contractsent', label: 'Contract sent', metadata: { isClosed: 'false', probability: '0.9' } },
  { id: 'closedwon', label: 'Closed won', metadata: { isClosed: 'true', probability: '1.0' } },
  { id: 'closedlost', label: 'Closed lost', metadata: { isClosed: 'true', probability: '0.0' } },
];
const dated = { created_at: '2019-04-01T08:00:00Z', updated_at: '2019-05-02T08:00:00Z' };
const DEALS = [
  { id: 801, dealname: 'Fifty seats', amount: '12000.50', dealstage: 'closedwon', contact: 501, company: 301 },
  { id: 802, dealname: 'Ten seats', amount: null, dealstage: 'closedlost', closed_lost_reason: 'Price' },
  { id: 803, dealname: 'Renewal', amount: '7', dealstage: 'contractsent', region: 'North', contact: 502 },
];
/** Lifecycle stages of contacts: this one is on the way. */
const LEADS: Readonly<Record<number, object>> = {
  503: { lifecyclestage: 'salesqualifiedlead', hs_lead_status: null, hs_analytics_source: 'PAID_SEARCH' },
  501: { lifecyclestage: 'lead', hs_lead_status: 'UNQUALIFIED', company: 'Acme', hubspot_owner_id: '401' },
};

interface Held {
  id: string;
  properties: Record<string, unknown>;
  /** Where people read it. */
  url: string;
  createdAt: string;
  updatedAt: string;
  archived: boolean;
}

/**
 * Shapes of the HubSpot CRM API: https://developers.hubspot.com/docs/api-reference/crm-tickets-v3/guide (and contacts, companies, notes,
 * deals, emails: objects with `properties`, `paging.next.after`, `batch/read`), https://developers.hubspot.com/docs/api/crm/search,
 * https://developers.hubspot.com/docs/api-reference/crm-owners-v3/guide, …/crm-pipelines-v3/guide, …/crm-properties-v3/guide,
 * https://developers.hubspot.com/docs/api-reference/files-files-v3/guide (`signed-url`), …/crm-associations-v4/guide (`batch/read`, `toObjectId`), https://developers.hubspot.com/docs/guides/apps/private-apps/overview.
 */
export const hubspotServer: FakeService = {
  source: 'hubspot',
  done: 'closed',
  connection: (base) => ({ base_url: base, access_token: TOKEN }),
  isLetIn: ({ headers }) => headers.authorization === `Bearer ${TOKEN}`,
  ticketFiles: false,
  file: ({ path }) => /^\/hubfs\/(\d+)$/.exec(path)?.[1],
  answer(asked, desk) {
    const [, file] = /^\/files\/v3\/files\/(\d+)\/signed-url$/.exec(asked.path) ?? [];
    if (file !== undefined)
      return {
        url: `${asked.base}/hubfs/${file}`,
        name: 'thanks',
        extension: 'txt',
        type: 'DOCUMENT',
        expiresAt: '2030-01-01T00:00:00Z',
      };
    const [, object, action] = /^\/crm\/v3\/objects\/(\w+)(?:\/(search|batch\/read))?$/.exec(asked.path) ?? [];
    if (object !== undefined) return objects(object, action, asked, heldIn(object, desk));
    const [, ticket, kind] =
      /^\/crm\/v4\/objects\/tickets\/(\d+)\/associations\/(notes|emails)$/.exec(asked.path) ?? [];
    if (ticket !== undefined)
      return {
        results: desk.comments
          .filter((comment) => comment.ticket === Number(ticket) && comment.isPublic === (kind === 'emails'))
          .map(({ id }) => ({ toObjectId: id, associationTypes: [{ category: 'HUBSPOT_DEFINED', typeId: 227 }] })),
      };
    switch (asked.path) {
      case '/crm/v3/owners': {
        const results = AGENTS.map(({ id, name, email, created_at: createdAt, updated_at: updatedAt }) => {
          const [firstName, lastName] = name.split(' ');
          return { id: String(id), email, firstName, lastName, createdAt, updatedAt, archived: false };
        });
        return { results };
      }
      case '/crm/v3/properties/tickets':
        return {
          results: [
            { name: 'subject', label: 'Ticket name', hubspotDefined: true },
            { name: 'order_no', label: 'Order number', hubspotDefined: false },
          ],
        };
      case '/crm/v3/properties/contacts':
      case '/crm/v3/properties/companies':
        return { results: [] };
      case '/crm/v3/properties/deals':
        return { results: [{ name: 'region', label: 'Region', hubspotDefined: false }] };
      case '/crm/v3/pipelines/deals':
        return { results: [{ id: 'default', label: 'Sales', stages: DEAL_STAGES }] };
      case '/crm/v4/associations/deals/contacts/batch/read':
        return associations(asked, (id) => DEALS.find((each) => each.id === id)?.contact);
      case '/crm/v4/associations/deals/companies/batch/read':
        return associations(asked, (id) => DEALS.find((each) => each.id === id)?.company);
      case '/crm/v3/pipelines/tickets':
        return {
          results: [
            {
              id: '0',
              stages: [
                { id: '1', label: 'Triage', metadata: { ticketState: 'OPEN' } },
                { id: '2', label: 'Waiting on contact', metadata: { ticketState: 'OPEN' } },
                { id: '4', label: 'Closed', metadata: { ticketState: 'CLOSED' } },
              ],
            },
          ],
        };
      case '/crm/v4/associations/tickets/contacts/batch/read':
        return associations(asked, (id) => desk.tickets.find((each) => each.id === id)?.requester);
      case '/crm/v4/associations/tickets/companies/batch/read':
        return associations(asked, (id) => desk.tickets.find((each) => each.id === id)?.company);
      default:
        return undefined;
    }
  },
};

function heldIn(object: string, { tickets, comments, files }: OldDesk): Held[] {
  const held = (
    id: number,
    moments: { created_at: string; updated_at: string },
    properties: Held['properties'],
  ): Held => ({
    ...{ id: String(id), properties, createdAt: moments.created_at, updatedAt: moments.updated_at, archived: false },
    url: `https://app.hubspot.com/contacts/1/record/0-5/${id}`,
  });
  const nameOf = (id: number): string[] => (personOf(id)?.name ?? '').split(' ');
  switch (object) {
    case 'companies':
      return COMPANIES.map((company) => held(company.id, company, { name: company.name, domain: company.domain }));
    case 'contacts':
      return CONTACTS.map((contact) => {
        const [firstname, lastname] = nameOf(contact.id);
        return held(contact.id, contact, {
          email: contact.email,
          firstname,
          lastname,
          associatedcompanyid: String(contact.company),
          ...LEADS[contact.id],
        });
      });
    case 'deals':
      return DEALS.map(({ id, contact: _contact, company: _company, ...properties }) =>
        held(id, dated, {
          ...properties,
          ...{
            pipeline: 'default',
            deal_currency_code: 'USD',
            closedate: '2019-05-01T00:00:00Z',
            hubspot_owner_id: '401',
          },
        }),
      );
    case 'tickets':
      return tickets.map((ticket) =>
        held(ticket.id, ticket, {
          ...{
            subject: ticket.subject,
            content: ticket.description,
            hs_pipeline: '0',
            hs_pipeline_stage: STAGE[ticket.status],
          },
          ...{ hs_ticket_priority: ticket.priority.toUpperCase(), source_type: 'EMAIL', order_no: ticket.order },
          hubspot_owner_id: ticket.assignee === null ? null : String(ticket.assignee),
          closed_date: ticket.status === 'resolved' ? ticket.updated_at : null,
        }),
      );
    default:
      return comments.map((comment) => {
        const [first, last] = nameOf(comment.author);
        const hs_attachment_ids = files.flatMap((file) => (file.comment === comment.id ? [file.id] : [])).join(';');
        return held(
          comment.id,
          { created_at: comment.created_at, updated_at: comment.created_at },
          object === 'notes'
            ? {
                hs_attachment_ids,
                hs_note_body: `<p>${comment.body}</p>`,
                hs_timestamp: comment.created_at,
                hubspot_owner_id: String(comment.author),
              }
            : {
                hs_attachment_ids,
                ...{ hs_email_text: comment.body, hs_timestamp: comment.created_at },
                hs_email_direction: isAgent(comment.author) ? 'EMAIL' : 'INCOMING_EMAIL',
                ...{
                  hs_email_from_email: personOf(comment.author)?.email,
                  hs_email_from_firstname: first,
                  hs_email_from_lastname: last,
                },
              },
        );
      });
  }
}

function objects(object: string, action: string | undefined, { query, body }: Asked, held: readonly Held[]): object {
  if (action === 'batch/read') {
    const ids = (body.inputs as { id: string }[]).map(({ id }) => id);
    return { status: 'COMPLETE', results: held.filter(({ id }) => ids.includes(id)) };
  }
  if (action === 'search') {
    const [group] = (body.filterGroups ?? []) as {
      filters: { propertyName: string; value: string; values?: string[] }[];
    }[];
    const among = group?.filters.find(({ propertyName }) => propertyName === 'lifecyclestage')?.values;
    const value = (name: string): number =>
      Number(group?.filters.find(({ propertyName }) => propertyName === name)?.value ?? -1);
    const changed = object === 'contacts' ? 'lastmodifieddate' : 'hs_lastmodifieddate';
    const found = held.filter(
      ({ id, updatedAt, properties: { lifecyclestage } }) =>
        Date.parse(updatedAt) >= value(changed) &&
        Number(id) > value('hs_object_id') &&
        (among?.includes(String(lifecyclestage)) ?? true),
    );
    const results = found.slice(0, PAGE);
    return {
      total: found.length,
      results,
      ...(found.length > PAGE ? { paging: { next: { after: String(PAGE) } } } : {}),
    };
  }
  const { page, next } = pageOf(held, Number(query.get('after') ?? 0));
  return {
    results: page,
    ...(next === null ? {} : { paging: { next: { after: String(next), link: 'https://elsewhere.example/?after=x' } } }),
  };
}

function associations({ body }: Asked, toOf: (id: number) => number | undefined): object {
  const results = (body.inputs as { id: string }[]).flatMap(({ id }) => {
    const to = toOf(Number(id));
    return to === undefined ? [] : [{ from: { id }, to: [{ toObjectId: to, associationTypes: [] }] }];
  });
  return { status: 'COMPLETE', results };
}
