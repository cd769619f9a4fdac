import type { ServiceName } from '../jobs/migration-states';
import type { ServiceRecord } from './service-source';

/** The page of a record as a path at the origin of its service. */
type PageOf = (record: ServiceRecord) => string;

const part = (id: unknown): string => encodeURIComponent(String(id));
const behind =
  (path: string): PageOf =>
  ({ id }) =>
    path + part(id);
/** What is below a ticket is read on the page of that. */
const withTicket =
  (path: string): PageOf =>
  ({ fields }) =>
    path + part(fields.ticket_id);

/**
 * Where people read a record of a service, by the entity that it becomes: what stands in the address bar of its agents. HubSpot tells it
 * with each record; the pages of Intercom are behind the id of an app that its records do not say.
 */
export const WEB_PAGES: Readonly<Partial<Record<ServiceName, Readonly<Record<string, PageOf>>>>> = {
  zendesk: {
    companies: behind('/agent/organizations/'),
    users: behind('/agent/users/'),
    contacts: behind('/agent/users/'),
    tickets: behind('/agent/tickets/'),
    ticket_comments: withTicket('/agent/tickets/'),
  },
  freshdesk: {
    companies: behind('/a/companies/'),
    contacts: behind('/a/contacts/'),
    tickets: behind('/a/tickets/'),
    ticket_comments: withTicket('/a/tickets/'),
  },
  zammad: {
    companies: behind('/#organization/profile/'),
    users: behind('/#user/profile/'),
    contacts: behind('/#user/profile/'),
    tickets: behind('/#ticket/zoom/'),
    ticket_comments: ({ id, fields }) => `/#ticket/zoom/${part(fields.ticket_id)}/${part(id)}`,
  },
  jira: {
    tickets: behind('/browse/'),
    ticket_comments: ({ id, fields }) => `/browse/${part(fields.ticket_id)}?focusedCommentId=${part(id)}`,
  },
};
