import { PLANNED_PROVIDERS } from './planned-providers';
import { collected } from '../../platform/area/collected';
import type { ConfigField, ConfigSchema, Notice, Provider } from '../../platform/area/provider';
import { discordMessage } from './adapters/discord-message';
import { slackMessage } from './adapters/slack-message';
import { teamsMessage } from './adapters/teams-message';

const schema = (properties: Record<string, ConfigField>, required: readonly string[]): ConfigSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const webhookUrl = (example: string): ConfigSchema =>
  schema(
    {
      webhook_url: {
        type: 'string',
        title: 'Webhook URL',
        description: `Who knows it can post, so it is kept secret. Example: ${example}`,
        format: 'uri',
        maxLength: 2_048,
        writeOnly: true,
      },
    },
    ['webhook_url'],
  );

const mailServer = (ports: string): Record<string, ConfigField> => ({
  host: { type: 'string', title: 'Mail server', format: 'mail-host', maxLength: 253 },
  port: { type: 'integer', title: 'Port', description: ports, minimum: 1, maximum: 65_535 },
  security: {
    type: 'string',
    title: 'Encryption',
    description:
      '`tls` from the first byte, `starttls` required, `opportunistic`: STARTTLS where the server offers it.',
    enum: ['tls', 'starttls', 'opportunistic'],
    default: 'tls',
  },
  username: { type: 'string', title: 'User name', minLength: 1, maxLength: 254 },
  password: { type: 'string', title: 'Password', minLength: 1, maxLength: 1_024, writeOnly: true },
});

const sendReplies: ConfigField = {
  type: 'boolean',
  title: 'Mail replies to requesters',
  description: 'Public comments of agents on tickets that came by e-mail are mailed to the requester.',
  default: true,
};

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
  (say: (notice: Notice) => Record<string, unknown>): Provider['message'] =>
  (notice, { webhook_url: url }) => ({ url: String(url), body: say(notice), isSecret: true });

/** Every provider of product reference 1.12, and Discord, SMTP and IMAP; those that can be installed first. */
export const ownProviders: readonly Provider[] = [
  {
    key: 'slack',
    name: 'Slack',
    description: 'Posts events to a channel of Slack, or of anything that takes incoming webhooks in its format.',
    category: 'messaging',
    auth_type: 'webhook',
    config_schema: webhookUrl('https://hooks.slack.com/services/T000/B000/XXXX'),
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
    config_schema: webhookUrl('https://prod-00.westeurope.logic.azure.com/workflows/…'),
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
    config_schema: webhookUrl('https://discord.com/api/webhooks/000/XXXX'),
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
    config_schema: schema(
      {
        ...mailServer('465 with `tls`, else 587, unless given.'),
        from_address: { type: 'string', title: 'Sender address', format: 'email', maxLength: 254 },
        from_name: { type: 'string', title: 'Sender name', maxLength: 100, default: '' },
        reply_to: { type: 'string', title: 'Reply-To address', format: 'email', maxLength: 254 },
        recipients: {
          type: 'array',
          title: 'Who gets events',
          items: { type: 'string', format: 'email', maxLength: 254 },
          minItems: 1,
          maxItems: 20,
          uniqueItems: true,
        },
        send_replies: sendReplies,
      },
      ['host', 'from_address'],
    ),
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
    config_schema: schema(
      {
        ...mailServer('993 with `tls`, else 143, unless given.'),
        mailbox: { type: 'string', title: 'Mailbox', minLength: 1, maxLength: 255, default: 'INBOX' },
        address: {
          type: 'string',
          title: 'Address of the mailbox',
          description: 'Answers are asked for there, and mail from there is never read in.',
          format: 'email',
          maxLength: 254,
        },
        poll_interval_seconds: {
          type: 'integer',
          title: 'Seconds between looks',
          minimum: 30,
          maximum: 3_600,
          default: 60,
        },
        import_existing: {
          type: 'boolean',
          title: 'Read in what is already there',
          description: 'Otherwise only what arrives after the first look.',
          default: false,
        },
        mark_seen: { type: 'boolean', title: 'Mark as read', default: true },
        max_per_sender_per_hour: {
          type: 'integer',
          title: 'Messages of one sender per hour',
          description: 'What is beyond it is logged and skipped: two machines may be answering each other.',
          minimum: 1,
          maximum: 1_000,
          default: 20,
        },
        send_replies: sendReplies,
      },
      ['host', 'address', 'username', 'password'],
    ),
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
    config_schema: schema(
      {
        url: { type: 'string', title: 'URL', format: 'uri', maxLength: 2_048 },
        secret: {
          type: 'string',
          title: 'Signing secret',
          description: 'Key of `X-Service-Signature`: hex HMAC-SHA256 of the body.',
          minLength: 24,
          maxLength: 256,
          pattern: '^[\\x21-\\x7e]+$',
          writeOnly: true,
        },
      },
      ['url', 'secret'],
    ),
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
