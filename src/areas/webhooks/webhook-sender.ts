import { Injectable } from '@nestjs/common';
import { CAUSATION_DEPTH, CAUSATION_ROOT } from '../../platform/context/causation';
import { SecretBox } from '../../platform/secrets/secret-box';
import { Outbound } from '../../platform/outbound/outbound';
import type { OutboundResult } from '../../platform/outbound/outbound-result';
import { signatureHeaders } from '../../platform/outbound/signature';
import { ownJson } from '../../platform/text/json';
import type { HeaderMap } from './webhook-headers';

/** Where to send to, as stored. */
export interface Endpoint {
  url: string;
  headers_sealed: string | null;
  secret_sealed: string;
  previous_secret_sealed: string | null;
}

/** What to send. */
export interface WebhookMessage {
  /** `evt_…`: the same for every copy. */
  eventId: string;
  event: string;
  /** UUID of the delivery. */
  uid: string;
  /** From 1. */
  attempt: number;
  depth: number;
  rootEventId: string | null;
  body: string;
}

/** Signs and sends one message to an endpoint: product reference 5.3. */
@Injectable()
export class WebhookSender {
  constructor(
    private readonly outbound: Outbound,
    private readonly secrets: SecretBox,
  ) {}

  /** One attempt; whatever the receiver does is a result. */
  send(endpoint: Endpoint, message: WebhookMessage): Promise<OutboundResult> {
    const timestampSeconds = Math.floor(Date.now() / 1_000);
    const body = Buffer.from(message.body, 'utf8');
    const { previous_secret_sealed: previous } = endpoint;
    const headers = {
      ...this.custom(endpoint.headers_sealed),
      'Content-Type': 'application/json; charset=utf-8',
      'User-Agent': 'ServiceWebhooks/1.0',
      'X-Service-Event': message.event,
      'X-Service-Delivery': message.uid,
      'X-Service-Attempt': String(message.attempt),
      'X-Service-Timestamp': String(timestampSeconds),
      // One more than the event's: a call that brings it back is a further step of the chain.
      [CAUSATION_DEPTH]: String(message.depth + 1),
      ...(message.rootEventId === null ? {} : { [CAUSATION_ROOT]: message.rootEventId }),
      ...signatureHeaders({
        id: message.eventId,
        timestampSeconds,
        body,
        secret: this.secrets.open(endpoint.secret_sealed),
        previousSecret: previous === null ? null : this.secrets.open(previous),
      }),
    };
    return this.outbound.send({ method: 'POST', url: endpoint.url, headers, body });
  }

  private custom(sealed: string | null): HeaderMap {
    return sealed === null ? {} : ownJson(this.secrets.open(sealed));
  }
}
