import { Inject, Injectable } from '@nestjs/common';
import { isIP } from 'node:net';
import type { ImapFlow } from 'imapflow';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/context/runtime-config';
import { vettedAddress } from '../../../platform/mail/mail-host';
import type { ImapConfig } from '../provider-configs';

const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;
/** Largest message read; what lies beyond is left on the server. */
export const MAX_MESSAGE = 26_214_400;
/** Attributes of a message, of all new messages of a mailbox. */
const MAX_RESPONSE = MAX_MESSAGE + 1_048_576;

/** An opened mailbox. */
export interface OpenMailbox {
  client: ImapFlow;
  uidValidity: number;
  uidNext: number;
}

/** Speaks IMAP to servers that workspaces have configured. */
@Injectable()
export class ImapClient {
  constructor(@Inject(RUNTIME_CONFIG) private readonly config: Pick<RuntimeConfig, 'webhookAllowCidrs' | 'slowness'>) {}

  /** Connects, logs in and opens the mailbox. */
  verify(settings: ImapConfig): Promise<void> {
    return this.inMailbox(settings, 30_000, () => Promise.resolve());
  }

  /**
   * Runs `work` with the mailbox open and closes the connection whatever happens; after `totalMs` by force.
   *
   * @throws MailHostError, or the client's error
   */
  async inMailbox<T>(settings: ImapConfig, totalMs: number, work: (mailbox: OpenMailbox) => Promise<T>): Promise<T> {
    const { host, security, username: user, password: pass, mailbox: folder } = settings;
    const slowness = this.config.slowness ?? 1;
    // Loaded by whoever reads mail: with what it stands on, megabytes that most processes never need.
    const { ImapFlow } = await import('imapflow');
    const client = new ImapFlow({
      host: await vettedAddress(host, this.config.webhookAllowCidrs),
      ...(isIP(host) ? {} : { servername: host }),
      port: settings.port ?? (security === 'tls' ? 993 : 143),
      secure: security === 'tls',
      ...(security === 'starttls' ? { doSTARTTLS: true } : {}),
      auth: { user, pass },
      logger: false,
      disableAutoIdle: true,
      connectionTimeout: CONNECT_MS * slowness,
      greetingTimeout: CONNECT_MS * slowness,
      socketTimeout: SILENCE_MS * slowness,
      maxLiteralSize: MAX_MESSAGE + 1_024,
      maxResponseSize: MAX_RESPONSE,
    });
    // The error also ends whatever is awaited below; without a listener it would end the process.
    client.on('error', () => undefined);
    const timer = setTimeout(() => client.close(), totalMs).unref();
    try {
      await client.connect();
      const mailbox = await client.mailboxOpen(folder);
      const answer = await work({ client, uidValidity: Number(mailbox.uidValidity), uidNext: mailbox.uidNext });
      await client.logout().catch(() => undefined);
      return answer;
    } finally {
      clearTimeout(timer);
      client.close();
    }
  }
}
