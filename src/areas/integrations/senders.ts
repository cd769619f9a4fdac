import { Inject, Injectable } from '@nestjs/common';
import type { Notice, ProviderMessage } from '../../platform/area/provider';
import { Brands } from '../../platform/brand/brands';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../platform/context/runtime-config';
import { type Attempt, httpAttempt } from '../../platform/delivery/attempt';
import { domainOf } from '../../platform/mail/mail-address';
import { mailFailure } from '../../platform/mail/mail-failure';
import type { SmtpAccount } from '../../platform/mail/smtp-account';
import { SmtpClient } from '../../platform/mail/smtp-client';
import { logoFile, MailLetters } from '../../platform/mail/letter/mail-letters';
import { Outbound } from '../../platform/outbound/outbound';
import { signatureHeaders } from '../../platform/outbound/signature';
import { mailMessage } from './adapters/mail-message';
import { type EventFacts, noticeOf } from './adapters/notice';
import { webhookBody } from './adapters/webhook-message';
import type { Installation } from './integrations.service';
import { REDACTED, settingsOf } from './integration-config';
import { SmtpConfig, WebhookConfig } from './provider-configs';
import { providerOf } from './provider-table';

const USER_AGENT = 'ServiceWebhooks/1.0';
/** Headers whose values the log does not show. */
const SECRET_HEADER = /signature|authorization|token|api-?key/i;
const JSON_TYPE = 'application/json; charset=utf-8';

/** Which try of which message this is. */
export interface Try {
  /** Stable across tries. */
  deliveryId: string;
  attempt: number;
}

/** How a try went, and what the log shows of it: nothing secret. */
export interface Sent extends Attempt {
  method: string;
  url: string;
  requestHeaders: Record<string, string>;
  requestBody: string;
  status: number | null;
  responseBody: string | null;
  durationMs: number;
  error: { code: string; message: string } | null;
}

/** Sends an event through an installation, in the way of its provider. Never throws for what the other side does. */
@Injectable()
export class Senders {
  constructor(
    private readonly outbound: Outbound,
    private readonly smtp: SmtpClient,
    private readonly brands: Brands,
    private readonly letters: MailLetters,
    @Inject(RUNTIME_CONFIG) private readonly config: Pick<RuntimeConfig, 'publicUrl'>,
  ) {}

  send(installation: Installation, event: EventFacts, which: Try): Promise<Sent> {
    const notice = noticeOf(event, this.config.publicUrl);
    const provider = providerOf(installation.provider);
    if (provider?.message) return this.post(provider.message(notice, settingsOf(provider.config, installation.config)));
    if (installation.provider === 'smtp') return this.mail(installation, event, notice);
    return this.signed(installation, event, which);
  }

  private post({ url, body, headers = {}, isSecret = false }: ProviderMessage): Promise<Sent> {
    const sent = { 'Content-Type': JSON_TYPE, 'User-Agent': USER_AGENT, ...headers };
    return this.request(url, isSecret ? `${new URL(url).origin}/${REDACTED}` : url, sent, JSON.stringify(body));
  }

  private signed({ config }: Installation, event: EventFacts, which: Try): Promise<Sent> {
    const { url, secret } = settingsOf(WebhookConfig, config);
    const body = webhookBody(event);
    const timestampSeconds = Math.floor(Date.now() / 1_000);
    const { depth, root_event_id: root } = event.causation;
    const headers = {
      'Content-Type': JSON_TYPE,
      'User-Agent': USER_AGENT,
      'X-Service-Event': event.type,
      'X-Service-Delivery': which.deliveryId,
      'X-Service-Attempt': String(which.attempt),
      'X-Service-Timestamp': String(timestampSeconds),
      'X-Service-Causation-Depth': String(Number(depth ?? 0) + 1),
      'X-Service-Causation-Root': typeof root === 'string' ? root : event.uid,
      ...signatureHeaders({ id: event.uid, timestampSeconds, body, secret }),
    };
    return this.request(url, url, headers, body);
  }

  private async request(url: string, shownUrl: string, headers: Record<string, string>, body: string): Promise<Sent> {
    const result = await this.outbound.send({ method: 'POST', url, headers, body });
    const attempt = httpAttempt(result);
    const refusal = {
      code: `http_${result.status ?? 0}`,
      message: `The server answered ${result.status ?? 'nothing'}.`,
    };
    return {
      ...attempt,
      method: 'POST',
      url: shownUrl,
      requestHeaders: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, SECRET_HEADER.test(name) ? REDACTED : value]),
      ),
      requestBody: body,
      status: result.status,
      responseBody: result.body,
      durationMs: result.durationMs,
      error: attempt.arrived
        ? null
        : result.error
          ? { code: result.error.code, message: result.error.message }
          : refusal,
    };
  }

  private async mail(installation: Installation, event: EventFacts, notice: Notice): Promise<Sent> {
    const account = smtpAccountOf(installation);
    const { recipients = [] } = settingsOf(SmtpConfig, installation.config);
    const host = domainOf(account.from.address) ?? account.host;
    const { letter, ...envelope } = mailMessage(event, notice, { to: recipients, host });
    const brand = await this.brands.current();
    const bodies = await this.letters.compose({ letter, brand, signature: null });
    const mail = { ...envelope, ...bodies, attachments: logoFile(brand) };
    const began = performance.now();
    const sent = {
      method: 'SMTP',
      url: `smtp://${account.host}:${account.port}`,
      requestHeaders: { To: recipients.join(', '), Subject: mail.subject, 'Message-ID': mail.messageId },
      requestBody: mail.text,
      isPermanent: false,
      askedSeconds: null,
    };
    const took = (): number => Math.round(performance.now() - began);
    try {
      const { response } = await this.smtp.send(account, mail);
      return {
        ...sent,
        arrived: true,
        status: replyCode(response),
        responseBody: response,
        durationMs: took(),
        error: null,
      };
    } catch (error) {
      const { code, message } = mailFailure(error);
      return {
        ...sent,
        arrived: false,
        status: replyCode(message),
        responseBody: null,
        durationMs: took(),
        error: { code, message },
      };
    }
  }
}

/** The mail account inside the settings of an smtp installation. */
export function smtpAccountOf({ config }: Pick<Installation, 'config'>): SmtpAccount {
  const settings = settingsOf(SmtpConfig, config);
  const { host, security, username = null, password = null, reply_to: replyTo = null } = settings;
  const { dkim_private_key: privateKey } = settings;
  return {
    host,
    port: settings.port ?? (security === 'tls' ? 465 : 587),
    security,
    username,
    password,
    from: { name: settings.from_name, address: settings.from_address },
    replyTo,
    dkim: privateKey === undefined ? null : { selector: settings.dkim_selector ?? 'helpdesk', privateKey },
    isTrusted: false,
  };
}

/** The three digits at the start of a mail server's reply. */
export function replyCode(reply: string): number | null {
  const digits = /^([2-5]\d\d)[ -]/.exec(reply)?.[1];
  return digits === undefined ? null : Number(digits);
}
