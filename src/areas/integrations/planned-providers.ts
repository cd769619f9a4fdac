import type { Provider } from '../../platform/area/provider';

const planned = (
  entry: Pick<Provider, 'key' | 'name' | 'description' | 'category' | 'auth_type' | 'docs_url'>,
): Provider => ({
  ...entry,
  // There is nothing to set yet.
  config: Object,
  events: [],
  default_events: [],
  actions: [],
  is_available: false,
});

/** Providers that have no adapter yet: listed, and not to be installed. */
export const PLANNED_PROVIDERS: readonly Provider[] = [
  planned({
    key: 'jira',
    name: 'Jira',
    description: 'Links tickets with issues.',
    category: 'dev_tools',
    auth_type: 'oauth2',
    docs_url: 'https://developer.atlassian.com/cloud/jira/platform/rest/v3/intro/',
  }),
  planned({
    key: 'github',
    name: 'GitHub',
    description: 'Links tickets with issues and pull requests.',
    category: 'dev_tools',
    auth_type: 'oauth2',
    docs_url: 'https://docs.github.com/en/rest',
  }),
  planned({
    key: 'google_calendar',
    name: 'Google Calendar',
    description: 'Keeps meetings in step with calendars.',
    category: 'calendar',
    auth_type: 'oauth2',
    docs_url: 'https://developers.google.com/calendar/api',
  }),
  planned({
    key: 'outlook',
    name: 'Outlook',
    description: 'Keeps meetings in step with calendars of Microsoft 365.',
    category: 'calendar',
    auth_type: 'oauth2',
    docs_url: 'https://learn.microsoft.com/graph/api/resources/calendar',
  }),
  planned({
    key: 'whatsapp',
    name: 'WhatsApp',
    description: 'Talks with requesters over WhatsApp.',
    category: 'messaging',
    auth_type: 'api_key',
    docs_url: 'https://developers.facebook.com/docs/whatsapp/cloud-api',
  }),
  planned({
    key: 'twilio',
    name: 'Twilio',
    description: 'Calls and text messages.',
    category: 'telephony',
    auth_type: 'basic',
    docs_url: 'https://www.twilio.com/docs/usage/api',
  }),
  planned({
    key: 'stripe',
    name: 'Stripe',
    description: 'Shows payments of companies.',
    category: 'payments',
    auth_type: 'api_key',
    docs_url: 'https://docs.stripe.com/api',
  }),
  planned({
    key: 'hubspot',
    name: 'HubSpot',
    description: 'Keeps companies and contacts in step.',
    category: 'crm',
    auth_type: 'oauth2',
    docs_url: 'https://developers.hubspot.com/docs/api/overview',
  }),
  planned({
    key: 'zendesk',
    name: 'Zendesk',
    description: 'Brings over tickets and users.',
    category: 'migration',
    auth_type: 'api_key',
    docs_url: 'https://developer.zendesk.com/api-reference/',
  }),
  planned({
    key: 'freshdesk',
    name: 'Freshdesk',
    description: 'Brings over tickets and contacts.',
    category: 'migration',
    auth_type: 'api_key',
    docs_url: 'https://developers.freshdesk.com/api/',
  }),
];
