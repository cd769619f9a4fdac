import type { Fields } from './api';
import type { TestApp } from './app';
import { type ImapServer, useImapServer } from './mail-servers';
import { type Sql, useSql } from './sql';
import { drained, runJob } from './jobs';
import { makeWorkspace, type TestWorkspace } from './workspace';

/** A workspace that reads a mailbox, new for each test. */
export class MailboxTest {
  workspace: TestWorkspace;
  /** The imap installation. */
  mailbox: Fields;

  constructor(
    private readonly server: TestApp,
    readonly imap: ImapServer,
    readonly sql: Sql,
  ) {}

  async begin(): Promise<void> {
    this.workspace = await makeWorkspace(this.server);
    this.mailbox = await this.install();
  }

  async install(more: Record<string, unknown> = {}): Promise<Fields> {
    const body = { provider: 'imap', config: this.imap.config(more) };
    return (await this.workspace.api.post('/integrations', body)).expect(201).data;
  }

  /** Looks into the mailboxes now, and waits until what was found there is taken. */
  async look(): Promise<void> {
    // A look that another node began before this moment may have missed what has just come.
    await drained(this.server, this.workspace);
    await this.sql.rows('UPDATE integration_states SET next_poll_at = NULL WHERE workspace_id = $1', [
      this.workspace.id,
    ]);
    // Under the lock of the job, so that no other node plans a second look at the same time.
    await runJob(this.server, 'plan-mail-polls');
    await drained(this.server, this.workspace);
  }

  async tickets(): Promise<Fields[]> {
    return (await this.workspace.api.get('/tickets?sort=id')).expect(200).rows;
  }

  async comments(ticketId: number): Promise<Fields[]> {
    return (await this.workspace.api.get(`/tickets/${ticketId}/comments`)).expect(200).rows;
  }

  async logs(query = ''): Promise<Fields[]> {
    return (await this.workspace.api.get(`/integrations/${this.mailbox.id}/logs?sort=id${query}`)).expect(200).rows;
  }
}

/** A mailbox and a workspace that reads it, before each test of a file. */
export function useMailbox(server: TestApp): MailboxTest {
  const test = new MailboxTest(server, useImapServer(), useSql());
  beforeEach(() => test.begin());
  // The mail server of the test goes; nobody shall look for it.
  afterEach(() => test.sql.rows('DELETE FROM integrations WHERE workspace_id = $1', [test.workspace.id]));
  return test;
}

/** Headers of a message of Ada's. */
export const ada = (more: Record<string, string> = {}): Record<string, string> => ({
  From: '"Ada Lovelace" <Ada@People.example>',
  To: 'support@acme.example',
  Subject: 'Printer on fire',
  'Message-ID': '<first@people.example>',
  ...more,
});
