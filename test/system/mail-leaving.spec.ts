import { generateKeyPairSync } from 'node:crypto';
import { Database } from '../../src/platform/database/database';
import { Mailer } from '../../src/platform/mail/mailer';
import { useApp } from '../support/app';
import { isSigned } from '../support/dkim';
import { drained } from '../support/jobs';
import { useSmtpServer } from '../support/mail-servers';
import { useSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
const smtp = useSmtpServer();
let workspace: TestWorkspace;

beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

function queue(text = 'How are you?'): Promise<number> {
  const [database, mailer] = [server.app.get(Database), server.app.get(Mailer)];
  const actor = { type: 'system', id: null, name: 'test' } as const;
  const mail = { to: ['ada@people.example'], subject: 'Hello', text };
  return database.inWorkspace(workspace.id, actor, () => database.transaction(() => mailer.queue(mail)));
}

async function install(config: Record<string, unknown> = smtp.config()): Promise<number> {
  return (await workspace.api.post('/integrations', { provider: 'smtp', config })).expect(201).data.id;
}

async function rowOf(id: number): Promise<Record<string, unknown>> {
  const [row] = await sql.rows('SELECT * FROM outgoing_mails WHERE workspace_id = $1 AND id = $2', [workspace.id, id]);
  return row ?? {};
}

describe('a mail', () => {
  it('is signed in the name of the sender’s domain, where there is a key', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const refused = await workspace.api.post('/integrations', {
      provider: 'smtp',
      config: smtp.config({ dkim_private_key: 'x' }),
    });
    expect(refused.expect(422).codes).toEqual({ 'config.dkim_private_key': 'format' });
    const id = await install(smtp.config({ dkim_private_key: pem, dkim_selector: 'k1' }));
    const shown = (await workspace.api.get(`/integrations/${id}`)).data;
    expect(shown.config).toMatchObject({ dkim_private_key: '********', dkim_private_key_set: true });
    expect(JSON.stringify(await sql.rows('SELECT * FROM integrations WHERE id = $1', [id]))).not.toContain(
      'PRIVATE KEY',
    );
    await queue('Grüße');
    await drained(server, workspace);
    const { raw, mail: taken } = smtp.taken[0]!;
    const signature = /^DKIM-Signature:((?:[^\n]|\n[ \t])+)/im.exec(raw)?.[1]?.replaceAll(/\s+/g, ' ') ?? '';
    expect(signature).toMatch(/d=acme\.example; .*s=k1;/);
    expect(isSigned(raw, publicKey)).toBe(true);
    expect(isSigned(raw.replace(`Subject: ${taken.subject ?? ''}`, 'Subject: other'), publicKey)).toBe(false);
  });

  it('to a mailbox that the server does not know marks the contact, and is the last automatic one', async () => {
    await install();
    (await workspace.api.post('/contacts', { email: 'ada@people.example' })).expect(201);
    smtp.refuse = 550;
    smtp.words = 'No such user here';
    await queue();
    await drained(server, workspace);
    const [contact] = (await workspace.api.get('/contacts?mail_status=bounced')).rows;
    expect(contact).toMatchObject({ email: 'ada@people.example', mail_bounce_reason: '550 No such user here' });
    smtp.refuse = null;
    const id = await queue();
    await drained(server, workspace);
    expect(smtp.taken).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ status: 'failed', error: { code: 'bounced' } });
  });
});
