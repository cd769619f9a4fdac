import { Injectable } from '@nestjs/common';
import { clockNow } from '../../platform/context/clock';
import { current, currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { eventKind } from '../../platform/events/event-catalogue';
import { eventSample } from '../../platform/openapi/event-sample';
import { fail } from '../../platform/errors/api-error';
import { mailFailure } from '../../platform/mail/mail-failure';
import { SmtpClient } from '../../platform/mail/smtp-client';
import { randomUUID } from 'node:crypto';
import type { EventFacts } from './adapters/notice';
import { IntegrationLogsService } from './integration-logs.service';
import { isRecord } from '../../platform/text/json';
import { settingsOf } from './integration-config';
import { type Installation, IntegrationsService } from './integrations.service';
import { ImapClient } from './mail-in/imap-client';
import { imapFailure } from './mail-in/imap-failure';
import { ImapConfig } from './provider-configs';
import { Senders, type Sent, smtpAccountOf } from './senders';
import type { TestResult } from '../../platform/outbound/test-result';

/** Tries installations on request: the real thing, once, at once. */
@Injectable()
export class IntegrationTests {
  constructor(
    private readonly database: Database,
    private readonly integrations: IntegrationsService,
    private readonly senders: Senders,
    private readonly smtp: SmtpClient,
    private readonly imap: ImapClient,
    private readonly logs: IntegrationLogsService,
  ) {}

  async run(id: number): Promise<TestResult> {
    const installation = (await this.integrations.open(id)) ?? fail('not_found', `No integration ${id}.`);
    const sent = await this.attempt(installation);
    await this.database.transaction(() =>
      this.logs.add({
        integration_id: id,
        direction: installation.provider === 'imap' ? 'inbound' : 'outbound',
        event: 'integration.test',
        status: sent.error === null ? 'success' : 'failed',
        http_method: sent.method,
        url: sent.url,
        request_headers: sent.requestHeaders,
        request_body: sent.requestBody,
        response_status: sent.status,
        response_body: sent.responseBody,
        duration_ms: sent.durationMs,
        error: sent.error,
        request_id: current().requestId,
      }),
    );
    return {
      status: sent.error === null ? 'success' : 'failed',
      response_status: sent.status,
      duration_ms: sent.durationMs,
      error: sent.error,
    };
  }

  private attempt(installation: Installation): Promise<Sent> {
    const { config, provider } = installation;
    if (provider === 'imap') {
      const settings = settingsOf(ImapConfig, config);
      return this.login('IMAP', settings.host, () => this.imap.verify(settings));
    }
    if (provider === 'smtp' && config.recipients === undefined) {
      const account = smtpAccountOf(installation);
      return this.login('SMTP', account.host, () => this.smtp.verify(account));
    }
    return this.senders.send(installation, sample(), { deliveryId: randomUUID(), attempt: 1 });
  }

  private async login(protocol: 'IMAP' | 'SMTP', host: string, work: () => Promise<void>): Promise<Sent> {
    const began = performance.now();
    const error = await work().then(
      () => null,
      (reason: unknown) => (protocol === 'IMAP' ? imapFailure(reason) : mailFailure(reason)),
    );
    return {
      method: protocol,
      url: `${protocol.toLowerCase()}://${host}`,
      requestHeaders: {},
      requestBody: '',
      status: null,
      responseBody: null,
      durationMs: Math.round(performance.now() - began),
      error: error && { code: error.code, message: error.message },
      arrived: error === null,
      isPermanent: false,
      askedSeconds: null,
    };
  }
}

/** The catalogue's sample of a new ticket, with ids of its own so that receivers do not take it for one they know. */
function sample(): EventFacts {
  const kind = eventKind('ticket.created');
  if (!kind) throw new Error('The catalogue has no ticket.created.');
  const body = eventSample(kind, currentWorkspaceId());
  const { ticket } = body.data;
  const id = randomUUID().replaceAll('-', '');
  return {
    uid: `evt_${id}`,
    type: body.type,
    object: body.data.object,
    object_id: body.data.id,
    sequence_id: `seq_${id}`,
    position: 1,
    workspace_id: body.workspace_id,
    actor: body.actor,
    causation: { ...body.causation, root_event_id: `evt_${id}`, request_id: current().requestId },
    changes: null,
    data: { ...(isRecord(ticket) ? ticket : {}), subject: 'Test message from the helpdesk' },
    related: null,
    created_at: clockNow().toISOString(),
  };
}
