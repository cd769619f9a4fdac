import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { clockNow } from '../../platform/context/clock';
import { current, currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { hasArrived } from '../../platform/delivery/attempt';
import { eventKind, eventNames } from '../../platform/events/event-catalogue';
import { eventUid } from '../../platform/events/event-rows';
import { eventSample } from '../../platform/openapi/event-sample';
import { invalid } from '../../platform/errors/api-error';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { compactId } from '../../platform/text/fresh-id';
import type { TestWebhook } from './webhook.dto';
import { Webhook } from './webhook.entity';
import { type Endpoint, WebhookSender } from './webhook-sender';
import { PING } from './webhook-ping';
import { EnumMember, IntegerMember, TextMember } from '../../platform/http/answer-members';

/** What a receiver made of a sample. */
export class WebhookTestResult {
  @EnumMember(['succeeded', 'failed'])
  status: 'succeeded' | 'failed';

  @IntegerMember({ nullable: true })
  response_status: number | null;

  @TextMember({ nullable: true, description: 'At most the first 4 KB.' })
  response_body: string | null;

  @IntegerMember()
  duration_ms: number;

  @TextMember({ nullable: true })
  error: string | null;
}

const ENDPOINT = `
  SELECT w.url, w.headers_sealed, w.secret_sealed,
    CASE WHEN w.previous_secret_until > now() THEN w.previous_secret_sealed END AS previous_secret_sealed
  FROM webhooks w WHERE w.workspace_id = $1 AND w.id = $2`;

/** Sends a sample at once, so that a receiver can be tried out, before it is activated again too. Counted nowhere. */
@Injectable()
export class WebhookTestService {
  constructor(
    private readonly database: Database,
    @InjectStore(Webhook) private readonly webhooks: Store<Webhook>,
    private readonly sender: WebhookSender,
  ) {}

  async send(webhookId: number, { event = PING }: TestWebhook): Promise<WebhookTestResult> {
    const [row] = await this.database.read<Endpoint>({ text: ENDPOINT, values: [currentWorkspaceId(), webhookId] });
    const endpoint = row ?? this.webhooks.missing(webhookId);
    const sample = await this.sample(webhookId, event);
    const result = await this.sender.send(endpoint, {
      eventId: sample.id,
      event: sample.type,
      uid: randomUUID(),
      attempt: 1,
      depth: 0,
      rootEventId: sample.id,
      body: JSON.stringify(sample),
    });
    return {
      status: hasArrived(result) ? 'succeeded' : 'failed',
      response_status: result.status,
      response_body: result.body,
      duration_ms: result.durationMs,
      error: result.error?.message ?? null,
    };
  }

  /** Looks like the real event but for its values; a ping shows the endpoint itself. */
  private async sample(webhookId: number, event: string): Promise<{ id: string; type: string }> {
    const kind = eventKind(event);
    if (!kind) {
      const message = '"event" must name one event; GET /integrations/events lists them.';
      invalid('event', 'enum', message, { allowed: eventNames() });
    }
    const { actor, requestId } = current();
    const id = eventUid(compactId());
    const sample = {
      ...eventSample(kind, currentWorkspaceId()),
      id,
      type: event,
      timestamp: clockNow().toISOString(),
      sequence: { id: `seq_${id.slice(4)}`, position: 1 },
      actor,
      causation: { root_event_id: id, depth: 0, request_id: requestId, automation_ids: [] },
    };
    if (kind.type !== PING) return sample;
    const webhook = await this.webhooks.whole(webhookId);
    return Object.assign(sample, { data: { object: 'webhook', id: webhookId, webhook }, changes: null });
  }
}
