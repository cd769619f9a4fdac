import { MailIntake } from '../../src/areas/integrations/mail-in/mail-intake';
import { IntegrationsService } from '../../src/areas/integrations/integrations.service';
import { Database } from '../../src/platform/database/database';
import { Transaction } from '../../src/platform/postgres/transaction';
import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { drained } from '../support/jobs';
import { useMailbox } from '../support/mailbox';

const server = useApp();
const test = useMailbox(server);
const SYSTEM = { type: 'system', id: null, name: 'test' } as const;

const MAIL = [
  'From: "Ada Lovelace" <ada@people.example>',
  'To: support@acme.example',
  'Subject: Printer on fire',
  'Message-ID: <first@people.example>',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/plain',
  '',
  'See the picture.',
  '--b',
  'Content-Type: text/plain; name="fire.txt"',
  'Content-Disposition: attachment; filename="fire.txt"',
  '',
  'It burns.',
  '--b--',
  '',
].join('\r\n');

/** Whoever waits to hear of the commit behind which a table has a row of the workspace loses the connection, once. */
async function losingCommitOf(table: string, work: () => Promise<unknown>): Promise<void> {
  const commit = Object.getOwnPropertyDescriptor(Transaction.prototype, 'commit')?.value as () => Promise<void>;
  let isLost = false;
  const losing = jest.spyOn(Transaction.prototype, 'commit').mockImplementation(async function (this: Transaction) {
    await commit.call(this);
    if (isLost) return;
    const rows = await test.sql.rows(`SELECT FROM ${table} WHERE workspace_id = $1`, [test.workspace.id]);
    isLost = rows.length > 0;
    if (isLost) throw new Error('Connection terminated unexpectedly');
  });
  try {
    await work();
  } finally {
    losing.mockRestore();
  }
  expect(isLost).toBe(true);
}

/** Takes the message as a worker does that has fetched it. */
function taken(uid: number): Promise<unknown> {
  return server.app.get(Database).inWorkspace(test.workspace.id, SYSTEM, async () => {
    const installation = await server.app.get(IntegrationsService).open(test.mailbox.id);
    if (!installation) throw new Error('There is no installation.');
    await server.app.get(MailIntake).take(installation, { uid, source: Buffer.from(MAIL), isCut: false });
  });
}

it('files of a message stay that was taken, though nobody heard of it', async () => {
  await losingCommitOf('attachments', () => expect(taken(1)).rejects.toMatchObject({ status: 503 }));
  const [ticket] = (await test.tickets()) as [Fields];
  const [file] = (await test.workspace.api.get(`/attachments?ticket_id=${ticket.id}`)).expect(200).rows;
  expect((await test.workspace.api.get(`/attachments/${file?.id}/content`)).expect(200).text).toContain('It burns.');
  // It is fetched again, and known by then.
  await taken(1);
  expect((await test.tickets()).length).toBe(1);
});

it('rows of a migration stay that was planned, though nobody heard of it', async () => {
  const { api } = test.workspace;
  const body = { source: 'json', mode: 'import', rows: { contacts: [{ email: 'ada@old.example', name: 'Ada' }] } };
  await losingCommitOf('migration_jobs', async () => (await api.post('/migration/jobs', body)).expect(503));
  const [job] = (await api.get('/migration/jobs')).expect(200).rows;
  (await api.post(`/migration/jobs/${job?.id}/validate`)).expect(200);
  // By the worker of the application: a turn of the test's own would find the job taken.
  await drained(server, test.workspace);
  const looked = (await api.get(`/migration/jobs/${job?.id}`)).expect(200).data;
  expect(looked).toMatchObject({ status: 'ready', last_error: null });
});
