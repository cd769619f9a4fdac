import type { DkimKey } from './dkim';
import { parseOneAddress } from './mail-address';

/** How the connection is protected: from the first byte, by STARTTLS (required), or by STARTTLS where offered. */
export type MailSecurity = 'tls' | 'starttls' | 'opportunistic';

/** A mail server and the sender that mail leaves as. */
export interface SmtpAccount {
  host: string;
  port: number;
  security: MailSecurity;
  username: string | null;
  password: string | null;
  from: { name: string; address: string };
  /** Where answers are to go, when not to the sender. */
  replyTo: string | null;
  /** Null = not signed. */
  dkim: DkimKey | null;
  /** The operator's own server: may stand on an internal address. */
  isTrusted: boolean;
}

/** The operator's account, from `SMTP_URL` and `MAIL_FROM`; null unless both say enough. */
export function operatorAccount(
  smtpUrl: string | null,
  mailFrom: string | null,
  dkim: DkimKey | null = null,
): SmtpAccount | null {
  const from = parseOneAddress(mailFrom ?? '');
  if (smtpUrl === null || from === null) return null;
  const url = new URL(smtpUrl);
  const isTls = url.protocol === 'smtps:';
  return {
    host: url.hostname.replaceAll(/[[\]]/g, ''),
    port: Number(url.port) || (isTls ? 465 : 587),
    security: isTls ? 'tls' : 'opportunistic',
    username: url.username === '' ? null : decodeURIComponent(url.username),
    password: url.password === '' ? null : decodeURIComponent(url.password),
    from,
    replyTo: null,
    dkim,
    isTrusted: true,
  };
}
