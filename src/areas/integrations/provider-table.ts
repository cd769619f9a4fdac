import { PLANNED_PROVIDERS } from './planned-providers';
import { collected } from '../../platform/area/collected';
import type { Notice, Provider } from '../../platform/area/provider';
import { discordMessage } from './adapters/discord-message';
import { slackMessage } from './adapters/slack-message';
import { teamsMessage } from './adapters/teams-message';
import {
  type ChatConfig,
  DiscordConfig,
  ImapConfig,
  SlackConfig,
  SmtpConfig,
  TeamsConfig,
  WebhookConfig,
} from './provider-configs';

const CHAT_EVENTS = [
  'ticket.created',
  'ticket.assigned',
  'ticket.escalated',
  'ticket.sla_breach',
  'ticket.resolved',
  'integration.error',
];

/** The message of a chat, for its incoming webhook. */
const chat =
  (say: (notice: Notice) => Record<string, unknown>): Provider<ChatConfig>['message'] =>
  (notice, { webhook_url: url }) => ({ url, body: say(notice), isSecret: true });

/** Every provider of product reference 1.12, and Discord, SMTP and IMAP; those that can be installed first. */
export const ownProviders: readonly Provider[] = [
  {
    key: 'slack',
    name: 'Slack',
    description: 'Posts events to a channel of Slack, or of anything that takes incoming webhooks in its format.',
    category: 'messaging',
    auth_type: 'webhook',
    config: SlackConfig,
    events: ['*'],
    default_events: CHAT_EVENTS,
    actions: ['post_message'],
    docs_url: 'https://api.slack.com/messaging/webhooks',
    is_available: true,
    message: chat(slackMessage),
  },
  {
    key: 'ms_teams',
    name: 'Microsoft Teams',
    description: 'Posts events as adaptive cards to a channel or chat, through a workflow with a webhook trigger.',
    category: 'messaging',
    auth_type: 'webhook',
    config: TeamsConfig,
    events: ['*'],
    default_events: CHAT_EVENTS,
    actions: ['post_card'],
    docs_url: 'https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook',
    is_available: true,
    message: chat(teamsMessage),
  },
  {
    key: 'discord',
    name: 'Discord',
    description: 'Posts events as embeds to a channel of a Discord server.',
    category: 'messaging',
    auth_type: 'webhook',
    config: DiscordConfig,
    events: ['*'],
    default_events: CHAT_EVENTS,
    actions: ['post_message'],
    docs_url: 'https://discord.com/developers/docs/resources/webhook#execute-webhook',
    is_available: true,
    message: chat(discordMessage),
  },
  {
    key: 'smtp',
    name: 'E-mail (SMTP)',
    description: "The workspace's mail server: mail of the helpdesk leaves through it, and events go to recipients.",
    category: 'messaging',
    auth_type: 'basic',
    config: SmtpConfig,
    events: ['*'],
    default_events: [],
    actions: ['send_mail'],
    docs_url: 'https://datatracker.ietf.org/doc/html/rfc5321',
    is_available: true,
  },
  {
    key: 'imap',
    name: 'E-mail in (IMAP)',
    description: 'Reads a mailbox: a message becomes a ticket, or a comment on the ticket that it answers.',
    category: 'messaging',
    auth_type: 'basic',
    config: ImapConfig,
    events: [],
    default_events: [],
    actions: ['create_ticket', 'add_comment'],
    docs_url: 'https://datatracker.ietf.org/doc/html/rfc3501',
    is_available: true,
  },
  {
    key: 'webhook',
    name: 'Generic webhook',
    description: 'Posts events as signed JSON to a server of yours; the body is that of `/webhooks`.',
    category: 'generic',
    auth_type: 'webhook',
    config: WebhookConfig,
    events: ['*'],
    default_events: ['*'],
    actions: ['post_event'],
    docs_url: 'https://www.standardwebhooks.com/',
    is_available: true,
  },
  ...PLANNED_PROVIDERS,
];

/** The providers of all areas. */
export const PROVIDERS = collected(({ providers }) => providers);

/** The provider of that key, or undefined. */
export function providerOf(key: string): Provider | undefined {
  return PROVIDERS.find((provider) => provider.key === key);
}

/** Keys of all providers. */
export const PROVIDER_KEYS = collected(({ providers }) => providers?.map(({ key }) => key));
