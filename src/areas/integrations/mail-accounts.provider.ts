import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { type MailAccount, MailAccounts, type MailAttempt } from '../../platform/mail/mail-accounts';
import { sql } from '../../platform/postgres/statement-batch';
import { IntegrationLogsService } from './integration-logs.service';
import { IntegrationStates } from './integration-states.service';
import { IntegrationsService } from './integrations.service';
import { replyCode, smtpAccountOf } from './senders';

/** Lets all mail of a workspace leave through its smtp integration, and logs it there. */
@Injectable()
export class IntegrationMailAccounts implements OnModuleInit {
  constructor(
    private readonly accounts: MailAccounts,
    private readonly database: Database,
    private readonly integrations: IntegrationsService,
    private readonly logs: IntegrationLogsService,
    private readonly states: IntegrationStates,
  ) {}

  onModuleInit(): void {
    this.accounts.provide(
      () => this.account(),
      () => this.sender(),
      (workspaceIds) => this.senders(workspaceIds),
    );
  }

  /** The oldest active smtp installation of the current workspace; null when there is none. */
  private async account(): Promise<MailAccount | null> {
    const [installation] = await this.integrations.activeOf('smtp');
    if (!installation) return null;
    const account = smtpAccountOf(installation);
    const url = `smtp://${account.host}:${account.port}`;
    return { account, report: (attempt) => this.report(installation.id, url, attempt) };
  }

  /** The address of that installation, as its configuration tells it without being opened. */
  private async sender(): Promise<string | null> {
    const [row] = await this.database.query<{ address: string | null }>(
      `SELECT config ->> 'from_address' AS address FROM integrations
       WHERE workspace_id = $1 AND provider = 'smtp' AND status = 'active' ORDER BY id LIMIT 1`,
      [currentWorkspaceId()],
    );
    return row?.address ?? null;
  }

  /** The workspaces among these that have such an installation. */
  private async senders(workspaceIds: readonly number[]): Promise<number[]> {
    const { rows } = await this.database.batch({
      rows: sql<{ id: number }>(
        `SELECT DISTINCT workspace_id AS id FROM integrations
         WHERE workspace_id = ANY($1::bigint[]) AND provider = 'smtp' AND status = 'active'`,
        [workspaceIds],
      ),
    });
    return rows.map(({ id }) => id);
  }

  private async report(id: number, url: string, attempt: MailAttempt): Promise<void> {
    const { failure } = attempt;
    // A mail that the server refuses for its own sake says nothing against the installation.
    if (failure === null) await this.states.succeeded(id);
    else if (!failure.isPermanent) await this.states.stumbled(id, { code: failure.code, message: failure.message });
    await this.logs.add({
      integration_id: id,
      direction: 'outbound',
      event: 'mail.sent',
      status: failure === null ? 'success' : attempt.willRetry ? 'retrying' : 'failed',
      http_method: 'SMTP',
      url,
      request_headers: {
        To: attempt.recipients.join(', '),
        Subject: attempt.subject,
        'Message-ID': attempt.messageId,
      },
      response_status: replyCode(attempt.response ?? ''),
      response_body: attempt.response,
      duration_ms: attempt.durationMs,
      attempt: attempt.attempt,
      error: failure && { code: failure.code, message: failure.message },
      delivery_id: attempt.messageId,
    });
  }
}
