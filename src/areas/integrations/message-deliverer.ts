import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { Deliveries, type Deliverer, type Verdict } from '../../platform/delivery/deliveries';
import { EVENT_RETRIES } from '../../platform/delivery/retries';
import { EventRedaction } from '../../platform/events/event-redaction';
import type { Job } from '../../platform/queue/job-handler';
import type { EventFacts } from './adapters/notice';
import { DELIVERY_JOB } from './delivery-consumer';
import { IntegrationLogsService } from './integration-logs.service';
import { IntegrationStates } from './integration-states.service';
import { type Installation, IntegrationsService } from './integrations.service';
import { Senders, type Sent } from './senders';

interface Loaded {
  integration_id: number;
  uid: string;
  status: string;
  /** `events.id` */
  event_id: number;
  /** Null when the event is older than the log keeps. */
  event: EventFacts | null;
}

/** An event on its way through an installation. */
interface DueMessage {
  /** Of the row in `integration_deliveries`. */
  id: number;
  delivery: Loaded;
  installation: Installation | undefined;
}

/** Sends events through installations; one that does not take an event in the end rests with status `error`. */
@Injectable()
export class MessageDeliverer implements Deliverer<DueMessage, Sent>, OnModuleInit {
  readonly kind = DELIVERY_JOB;
  readonly perGroup = 2;
  readonly perWorkspace = 10;
  /** A mail server may take a minute. */
  readonly leaseMs = 90_000;
  readonly retries = EVENT_RETRIES;

  constructor(
    private readonly deliveries: Deliveries,
    private readonly database: Database,
    private readonly integrations: IntegrationsService,
    private readonly senders: Senders,
    private readonly logs: IntegrationLogsService,
    private readonly states: IntegrationStates,
    private readonly redaction: EventRedaction,
  ) {}

  onModuleInit(): void {
    this.deliveries.register(this);
  }

  async load({ subject_id: id }: Job): Promise<DueMessage | null> {
    const { delivery, installation } = await this.find(id);
    return delivery?.status === 'pending' ? { id, delivery, installation } : null;
  }

  withdrawal({ id, delivery, installation }: DueMessage): (() => Promise<void>) | null {
    const goesOn = installation?.status === 'active' && delivery.event !== null;
    return goesOn ? null : () => this.mark(id, 'cancelled');
  }

  send(due: DueMessage, attempt: number): Promise<Sent> {
    const { installation, event } = certain(due);
    return this.senders.send(installation, event, { deliveryId: due.delivery.uid, attempt });
  }

  async record(due: DueMessage, sent: Sent, { status, attempt }: Verdict): Promise<void> {
    const { installation, event } = certain(due);
    // What was deleted while the message was under way is not kept here either.
    const isForgotten = (await this.redaction.since(due.delivery.event_id)) !== null;
    const requestId = event.causation.request_id;
    await this.logs.add({
      integration_id: installation.id,
      direction: 'outbound',
      event: event.type,
      status: status === 'arrived' ? 'success' : status,
      http_method: sent.method,
      url: sent.url,
      request_headers: sent.requestHeaders,
      request_body: isForgotten ? null : sent.requestBody,
      response_status: sent.status,
      response_body: isForgotten ? null : sent.responseBody,
      duration_ms: sent.durationMs,
      attempt,
      error: sent.error,
      delivery_id: due.delivery.uid,
      request_id: typeof requestId === 'string' ? requestId : null,
    });
    if (sent.error !== null) {
      await this.states.stumbled(installation.id, sent.error);
      return;
    }
    await this.states.succeeded(installation.id);
    await this.mark(due.id, 'success');
  }

  async exhausted(due: DueMessage, { error }: Sent): Promise<void> {
    await this.mark(due.id, 'failed');
    if (error) await this.integrations.failed(certain(due).installation.id, error);
  }

  /** A delivery that was cancelled while it was under way stays so. */
  private async mark(id: number, status: string): Promise<void> {
    await this.database.query(
      `UPDATE integration_deliveries SET status = $3 WHERE workspace_id = $1 AND id = $2 AND status = 'pending'`,
      [currentWorkspaceId(), id, status],
    );
  }

  private find(id: number): Promise<{ delivery: Loaded | undefined; installation: Installation | undefined }> {
    return this.database.transaction(async () => {
      const [delivery] = await this.database.query<Loaded>(
        `SELECT d.integration_id, d.uid, d.status, d.event_id, ${EVENT_FACTS} AS event
         FROM integration_deliveries d LEFT JOIN events e ON e.workspace_id = d.workspace_id AND e.id = d.event_id
         WHERE d.workspace_id = $1 AND d.id = $2`,
        [currentWorkspaceId(), id],
      );
      const installation = delivery && (await this.integrations.open(delivery.integration_id));
      return { delivery, installation };
    });
  }
}

/** Of a message that was not withdrawn. */
function certain({ delivery, installation }: DueMessage): { installation: Installation; event: EventFacts } {
  if (!installation || !delivery.event) throw new Error('A message without installation or event was not withdrawn.');
  return { installation, event: delivery.event };
}

/** SQL of an event row `e` as `EventFacts`. */
const EVENT_FACTS = `
  CASE WHEN e.id IS NULL THEN NULL ELSE json_build_object('uid', e.uid, 'type', e.type, 'object', e.object, 'object_id', e.object_id,
    'sequence_id', e.sequence_id, 'position', e.position, 'workspace_id', e.workspace_id, 'actor', e.actor,
    'causation', e.causation, 'changes', e.changes, 'data', e.data, 'related', e.related,
    'created_at', to_char(e.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) END`;
