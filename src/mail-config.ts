import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConfigError, text } from './config-values';

/** How mail of workspaces leaves that bring no account of their own. */
export interface MailConfig {
  /** The operator's mail server, `smtp(s)://user:password@host:port`. Null = mail leaves only through integrations. */
  readonly smtpUrl: string | null;
  /** Sender of mail that leaves through `smtpUrl`. */
  readonly mailFrom: string | null;
  /** What that mail is signed with, in the name of the sender's domain; null = it is not. */
  readonly mailDkim: { readonly selector: string; readonly privateKey: string } | null;
}

/** `support@example.com`, or a name and that in angle brackets. */
const SENDER = /^(?:[^\s<>@]+@[^\s<>@]+\.[^\s<>@]+|[^<>]*<[^\s<>@]+@[^\s<>@]+\.[^\s<>@]+>)$/;

/** @throws ConfigError naming the variable and the accepted values */
export function mailConfig(env: NodeJS.ProcessEnv): MailConfig {
  const config = { smtpUrl: smtpUrl(env), mailFrom: mailFrom(env), mailDkim: dkim(env) };
  if (config.smtpUrl !== null && config.mailFrom === null)
    throw new ConfigError('SMTP_URL needs MAIL_FROM, the sender of that mail: Helpdesk <support@example.com>.');
  return config;
}

function mailFrom(env: NodeJS.ProcessEnv): string | null {
  const value = text(env, 'MAIL_FROM');
  if (value !== null && !SENDER.test(value))
    throw new ConfigError(`MAIL_FROM must look like Helpdesk <support@example.com>, but is "${value}".`);
  return value;
}

function smtpUrl(env: NodeJS.ProcessEnv): string | null {
  const value = text(env, 'SMTP_URL');
  if (value === null) return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') {
    throw new ConfigError('SMTP_URL must look like smtp://user:password@mail.example.com:587.');
  }
  return value;
}

function dkim(env: NodeJS.ProcessEnv): MailConfig['mailDkim'] {
  const file = text(env, 'MAIL_DKIM_KEY_FILE');
  if (file === null) return null;
  const selector = text(env, 'MAIL_DKIM_SELECTOR') ?? 'helpdesk';
  if (!/^[a-z\d](?:[a-z\d.-]{0,61}[a-z\d])?$/i.test(selector))
    throw new ConfigError('MAIL_DKIM_SELECTOR must be a name in the DNS, such as helpdesk or k1.mail.');
  try {
    const privateKey = readFileSync(file, 'utf8');
    if (createPrivateKey(privateKey).asymmetricKeyType === 'rsa') return { selector, privateKey };
  } catch {
    // Told below, whatever it was.
  }
  throw new ConfigError('MAIL_DKIM_KEY_FILE must name a readable file with an RSA private key, as PEM.');
}
