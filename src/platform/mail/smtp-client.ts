import { Inject, Injectable } from '@nestjs/common';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import type { createTransport } from 'nodemailer';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../context/runtime-config';
import { lostMailboxes } from './delivery-status';
import type { DkimKey } from './dkim';
import { domainOf } from './mail-address';
import { vettedAddress } from './mail-host';
import type { SmtpAccount } from './smtp-account';

const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;
const TOTAL_MS = 60_000;

/** A file of a mail: base64, or a stream of its bytes. */
export interface WireFile {
  filename: string;
  content_type: string;
  content: string | Readable;
  /** What the HTML calls it (`cid:`), of a picture within it. */
  cid?: string;
}

/** A mail as it goes over the wire. */
export interface WireMail {
  messageId: string;
  to: readonly string[];
  cc: readonly string[];
  replyTo: string | null;
  subject: string;
  text: string;
  html: string | null;
  inReplyTo: string | null;
  references: readonly string[];
  isAutomatic: boolean;
  attachments: readonly WireFile[];
}

/** What the server said. */
export interface SmtpReceipt {
  response: string;
  /** Recipients that it refused while taking the mail for others. */
  rejected: string[];
  /** Those of them of whom it says that there is no such mailbox. */
  lost: LostMailbox[];
}

/** An address (lower-case) where there is no mailbox, and who says so. */
export interface LostMailbox {
  address: string;
  reason: string;
}

/** Speaks SMTP to a server that a workspace or the operator has configured. One connection per mail. */
@Injectable()
export class SmtpClient {
  constructor(@Inject(RUNTIME_CONFIG) private readonly config: Pick<RuntimeConfig, 'webhookAllowCidrs'>) {}

  /**
   * Sends one mail; at most a minute. It may arrive twice when the process dies in between, with the same Message-ID.
   *
   * @throws the SMTP client's error, for `mailFailure`
   */
  async send(account: SmtpAccount, mail: WireMail): Promise<SmtpReceipt> {
    const receipt: unknown = await this.converse(account, (transport) =>
      transport.sendMail({
        from: account.from,
        to: [...mail.to],
        cc: [...mail.cc],
        ...(mail.replyTo === null ? {} : { replyTo: mail.replyTo }),
        subject: mail.subject,
        text: mail.text,
        ...(mail.html === null ? {} : { html: mail.html }),
        messageId: mail.messageId,
        ...(mail.inReplyTo === null ? {} : { inReplyTo: mail.inReplyTo }),
        references: [...mail.references],
        headers: loopHeaders(mail.isAutomatic),
        attachments: mail.attachments.map(({ filename, content_type, content, cid }) => ({
          filename,
          contentType: content_type,
          content,
          ...(typeof content === 'string' ? { encoding: 'base64' as const } : {}),
          ...(cid === undefined ? {} : { cid, contentDisposition: 'inline' as const }),
        })),
        disableFileAccess: true,
        disableUrlAccess: true,
      }),
    );
    const { response, rejected } = receipt as { response?: string; rejected?: unknown[] };
    return {
      response: (response ?? '').slice(0, 500),
      rejected: (rejected ?? []).map(String),
      lost: lostMailboxes(receipt),
    };
  }

  /** Connects and logs in, and sends nothing. */
  async verify(account: SmtpAccount): Promise<void> {
    await this.converse(account, (transport) => transport.verify());
  }

  private async converse<T>(account: SmtpAccount, talk: (transport: Transport) => Promise<T>): Promise<T> {
    const host = await vettedAddress(account.host, this.config.webhookAllowCidrs, account.isTrusted);
    // Loaded with the first mail.
    const nodemailer = await import('nodemailer');
    const transport = nodemailer.createTransport({
      host,
      port: account.port,
      secure: account.security === 'tls',
      requireTLS: account.security === 'starttls',
      ...(isIP(account.host) ? {} : { tls: { servername: account.host } }),
      ...(account.username === null ? {} : { auth: { user: account.username, pass: account.password ?? '' } }),
      ...(account.dkim ? { dkim: signing(account.dkim, account.from.address) } : {}),
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('The mail server took too long.')), TOTAL_MS).unref();
    });
    try {
      return await Promise.race([talk(transport), late]);
    } finally {
      clearTimeout(timer);
      transport.close();
    }
  }
}

type Transport = ReturnType<typeof createTransport>;

/** The domain of the sender, so that receivers see that both are one (DMARC). */
function signing(
  { selector, privateKey }: DkimKey,
  from: string,
): { domainName: string; keySelector: string; privateKey: string } {
  return { domainName: domainOf(from) ?? '', keySelector: selector, privateKey };
}

/** What keeps two machines from answering each other for ever (RFC 3834, and the header that Exchange obeys). */
function loopHeaders(isAutomatic: boolean): Record<string, string> {
  return isAutomatic
    ? { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }
    : { 'X-Auto-Response-Suppress': 'OOF, DR, NDR, RN, NRN, AutoReply' };
}
