import {
  EmailSetting,
  EmailsSetting,
  EnumSetting,
  FlagSetting,
  HostSetting,
  IntegerSetting,
  type SettingWords,
  SigningKeySetting,
  TextSetting,
  UrlSetting,
} from '../../platform/area/settings';
import { SELECTOR } from '../../platform/mail/dkim';
import type { SmtpAccount } from '../../platform/mail/smtp-account';

const WebhookUrl = (example: string): PropertyDecorator =>
  UrlSetting({
    title: 'Webhook URL',
    description: `Who knows it can post, so it is kept secret. Example: ${example}`,
    required: true,
    secret: true,
  });

const Port = (description: string): PropertyDecorator =>
  IntegerSetting({ title: 'Port', description, min: 1, max: 65_535 });

const Security = (): PropertyDecorator =>
  EnumSetting(['tls', 'starttls', 'opportunistic'], {
    title: 'Encryption',
    description:
      '`tls` from the first byte, `starttls` required, `opportunistic`: STARTTLS where the server offers it.',
  });

const UserName = (words: Partial<SettingWords> = {}): PropertyDecorator =>
  TextSetting({ title: 'User name', min: 1, max: 254, ...words });

const Password = (words: Partial<SettingWords> = {}): PropertyDecorator =>
  TextSetting({ title: 'Password', min: 1, max: 1_024, secret: true, ...words });

const SendReplies = (): PropertyDecorator =>
  FlagSetting({
    title: 'Mail replies to requesters',
    description: 'Public comments of agents on tickets that came by e-mail are mailed to the requester.',
  });

/** Any chat that takes incoming webhooks. */
export interface ChatConfig {
  webhook_url: string;
}

/** Settings of a channel of Slack. */
export class SlackConfig implements ChatConfig {
  @WebhookUrl('https://hooks.slack.com/services/T000/B000/XXXX')
  webhook_url: string;
}

/** Settings of a channel or chat of Microsoft Teams. */
export class TeamsConfig implements ChatConfig {
  @WebhookUrl('https://prod-00.westeurope.logic.azure.com/workflows/…')
  webhook_url: string;
}

/** Settings of a channel of Discord. */
export class DiscordConfig implements ChatConfig {
  @WebhookUrl('https://discord.com/api/webhooks/000/XXXX')
  webhook_url: string;
}

/** Settings of a server that mail leaves through. */
export class SmtpConfig {
  @HostSetting({ title: 'Mail server', required: true })
  host: string;

  @Port('465 with `tls`, else 587, unless given.')
  port?: number;

  @Security()
  security: SmtpAccount['security'] = 'tls';

  @UserName()
  username?: string;

  @Password()
  password?: string;

  @EmailSetting({ title: 'Sender address', required: true })
  from_address: string;

  @TextSetting({ title: 'Sender name', max: 100 })
  from_name = '';

  @EmailSetting({ title: 'Reply-To address' })
  reply_to?: string;

  @EmailsSetting({ title: 'Who gets events', min: 1, max: 20 })
  recipients?: string[];

  @TextSetting({
    title: 'DKIM selector',
    description:
      'The public key stands in the DNS as `<selector>._domainkey.<domain of the sender address>`; `helpdesk` unless given.',
    min: 1,
    max: 63,
    pattern: SELECTOR,
  })
  dkim_selector?: string;

  @SigningKeySetting({
    title: 'DKIM private key',
    description: 'RSA, as PEM. With it every mail is signed in the name of the domain of the sender address.',
    secret: true,
    stays: true,
  })
  dkim_private_key?: string;

  @SendReplies()
  send_replies = true;
}

/** Settings of a mailbox that is read in. */
export class ImapConfig {
  @HostSetting({ title: 'Mail server', required: true })
  host: string;

  @Port('993 with `tls`, else 143, unless given.')
  port?: number;

  @Security()
  security: SmtpAccount['security'] = 'tls';

  @UserName({ required: true })
  username: string;

  @Password({ required: true })
  password: string;

  @TextSetting({ title: 'Mailbox', min: 1, max: 255 })
  mailbox = 'INBOX';

  @EmailSetting({
    title: 'Address of the mailbox',
    description: 'Answers are asked for there, and mail from there is never read in.',
    required: true,
  })
  address: string;

  @IntegerSetting({ title: 'Seconds between looks', min: 30, max: 3_600 })
  poll_interval_seconds = 60;

  @FlagSetting({
    title: 'Read in what is already there',
    description: 'Otherwise only what arrives after the first look.',
  })
  import_existing = false;

  @FlagSetting({ title: 'Mark as read' })
  mark_seen = true;

  @IntegerSetting({
    title: 'Messages of one sender per hour',
    description: 'What is beyond it is logged and skipped: two machines may be answering each other.',
    min: 1,
    max: 1_000,
  })
  max_per_sender_per_hour = 20;

  @SendReplies()
  send_replies = true;
}

/** Settings of a server that takes signed events. */
export class WebhookConfig {
  @UrlSetting({ title: 'URL', required: true })
  url: string;

  @TextSetting({
    title: 'Signing secret',
    description: 'Key of `X-Service-Signature`: hex HMAC-SHA256 of the body.',
    required: true,
    secret: true,
    stays: true,
    min: 24,
    max: 256,
    pattern: /^[\x21-\x7e]+$/,
  })
  secret: string;
}
