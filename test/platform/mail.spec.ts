import { Database } from '../../src/platform/database/database';
import { cleanAddress, domainOf, headerText, parseOneAddress } from '../../src/platform/mail/mail-address';
import { mailFailure } from '../../src/platform/mail/mail-failure';
import { vettedAddress } from '../../src/platform/mail/mail-host';
import { Mailer, type NewMail } from '../../src/platform/mail/mailer';
import { nameInMessageId, knownMessageId, newMessageId } from '../../src/platform/mail/message-id';
import { operatorAccount } from '../../src/platform/mail/smtp-account';
import { startApp, type TestApp, useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { useSmtpServer } from '../support/mail-servers';
import { scratchDatabase } from '../support/scratch-database';
import { useSql } from '../support/sql';
import { drained, timePasses } from '../support/jobs';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
const smtp = useSmtpServer();
let workspace: TestWorkspace;

beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

const mail = (more: Partial<NewMail> = {}): NewMail => ({
  to: ['ada@people.example'],
  subject: 'Hello',
  text: 'How are you?',
  ...more,
});

function queue(more: Partial<NewMail> = {}, { app }: TestApp = server): Promise<number> {
  const database = app.get(Database);
  const actor = { type: 'system', id: null, name: 'test' } as const;
  return database.inWorkspace(workspace.id, actor, () => database.transaction(() => app.get(Mailer).queue(mail(more))));
}

async function install(config: Record<string, unknown> = smtp.config()): Promise<number> {
  return (await workspace.api.post('/integrations', { provider: 'smtp', config })).expect(201).data.id;
}

async function rowOf(id: number): Promise<Record<string, unknown>> {
  const [row] = await sql.rows('SELECT * FROM outgoing_mails WHERE workspace_id = $1 AND id = $2', [workspace.id, id]);
  return row ?? {};
}

/** Seconds until the next try, after which it is due at once. */
async function nextTry(): Promise<number> {
  const [row] = await sql.rows<{ seconds: number }>(
    `SELECT extract(epoch FROM due_at - now())::float8 AS seconds FROM work WHERE workspace_id = $1 AND kind = 'mail'`,
    [workspace.id],
  );
  await timePasses(server, workspace, 'mail');
  await drained(server, workspace);
  return row?.seconds ?? 0;
}

describe('a mail', () => {
  it('leaves through the workspace’s own server, says that a machine made it, and is logged', async () => {
    const integration = await install(smtp.config({ reply_to: 'help@acme.example' }));
    const ticket = await makeTicket(workspace.api);
    const id = await queue({
      about: { id: ticket.id, name: String(ticket.code) },
      letter: { heading: 'You <b>' },
      cc: ['bob@people.example', 'ADA@people.example', 'nonsense'],
      in_reply_to: '<a@b>',
      references: ['<z@b>', '<a@b>'],
      attachments: [{ filename: 'x.txt', content_type: 'text/plain', content: Buffer.from('file').toString('base64') }],
    });
    await drained(server, workspace);
    const [taken, ...rest] = smtp.taken;
    expect(rest).toEqual([]);
    expect(taken?.from).toBe('helpdesk@acme.example');
    expect(taken?.to).toEqual(['ada@people.example', 'bob@people.example']);
    expect(taken?.mail).toMatchObject({ subject: 'Hello', inReplyTo: '<a@b>', references: ['<z@b>', '<a@b>'] });
    expect(taken?.mail.text?.trim()).toBe('You <b>\n\nHow are you?');
    expect(taken?.mail.html).toContain('You &lt;b&gt;</h1>');
    expect(taken?.mail.replyTo?.text).toBe('help@acme.example');
    expect(taken?.mail.headers.get('auto-submitted')).toBe('auto-generated');
    expect(taken?.mail.headers.get('x-auto-response-suppress')).toBe('All');
    expect(taken?.mail.attachments.map(({ content }) => content.toString())).toEqual(['file']);
    const messageId = taken?.mail.messageId ?? '';
    expect(nameInMessageId(messageId)).toBe(ticket.code);
    expect(await rowOf(id)).toMatchObject({ status: 'sent', attempts: 1, error: null, message_id: messageId });
    const [log] = (await workspace.api.get(`/integrations/${integration}/logs`)).expect(200).rows;
    expect(log).toMatchObject({ event: 'mail.sent', status: 'success', response_status: 250, delivery_id: messageId });
    expect(JSON.stringify(log)).not.toContain('How are you');
  });

  it('that a person wrote does not call itself automatic, but asks for no automatic answer', async () => {
    await install();
    await queue({ auto: false });
    await drained(server, workspace);
    expect(smtp.taken[0]?.mail.headers.has('auto-submitted')).toBe(false);
    expect(smtp.taken[0]?.mail.headers.get('x-auto-response-suppress')).toContain('OOF');
  });

  it('cannot be made to carry other headers or recipients', async () => {
    await install(smtp.config({ from_name: 'Acme, "Support" <x>' }));
    await queue({
      subject: 'Hi\r\nBcc: victim@example.com\r\n\r\nInjected',
      in_reply_to: '<a@b>\r\nX-Evil: 1',
      references: ['<a@b>\r\nX-Evil: 2'],
      to: ['ada@people.example', 'eve@evil.example\r\nRCPT TO:<victim@example.com>', 'a@b.example, victim@example.com'],
      attachments: [{ filename: 'a"\r\nX-Evil: 3.txt', content_type: 'text/plain\r\nX-Evil: 4', content: 'eA==' }],
      text: 'Line\r\n.\r\nMAIL FROM:<x@y>',
    });
    await drained(server, workspace);
    const [taken, ...rest] = smtp.taken;
    expect(rest).toEqual([]);
    expect(taken?.to).toEqual(['ada@people.example']);
    const names = taken?.mail.headerLines.map(({ key }) => key) ?? [];
    expect(names.filter((name) => name === 'bcc' || name === 'x-evil')).toEqual([]);
    expect(taken?.raw).not.toMatch(/^(X-Evil|Bcc):/im);
    expect(taken?.mail.subject).toBe('Hi Bcc: victim@example.com Injected');
    expect(taken?.mail.text).toContain('MAIL FROM:<x@y>');
    expect(taken?.mail.from?.value[0]?.address).toBe('helpdesk@acme.example');
  });

  it('leaves only when its unit of work commits, and once per key', async () => {
    await install();
    const database = server.app.get(Database);
    const actor = { type: 'system', id: null, name: 'test' } as const;
    const undone = database.inWorkspace(workspace.id, actor, () =>
      database.transaction(async () => {
        await server.app.get(Mailer).queue(mail({ subject: 'Never' }));
        throw new Error('undone');
      }),
    );
    await expect(undone).rejects.toThrow('undone');
    const ids = await Promise.all([1, 2, 3].map(() => queue({ once: 'comment:1' })));
    await drained(server, workspace);
    expect(new Set(ids).size).toBe(1);
    expect(smtp.taken.map(({ mail: { subject } }) => subject)).toEqual(['Hello']);
  });

  it.each([
    ['nobody to go to', { to: ['nonsense', ''] }, 'to'],
    ['too many', { to: Array.from({ length: 51 }, (_, n) => `a${n}@b.example`) }, 'to'],
    [
      'too much',
      { attachments: [{ filename: 'x', content_type: 'a/b', content: 'x'.repeat(8_000_000) }] },
      'attachments',
    ],
  ])('with %s is refused', async (_name, more, field) => {
    await expect(queue(more)).rejects.toMatchObject({ status: 422, extras: { details: [{ field }] } });
  });
});

describe('a mail that cannot leave', () => {
  it('is tried again after 1, 5, 30 and 120 minutes, under the same id', async () => {
    await install();
    smtp.refuse = 451;
    const id = await queue();
    await drained(server, workspace);
    expect(await rowOf(id)).toMatchObject({ status: 'queued', attempts: 1, error: { code: 'smtp_451' } });
    for (const minutes of [1, 5, 30]) expect(Math.round((await nextTry()) / 60)).toBe(minutes);
    smtp.refuse = null;
    expect(Math.round((await nextTry()) / 60)).toBe(120);
    const row = await rowOf(id);
    expect(row).toMatchObject({ status: 'sent', attempts: 5, error: null });
    expect(smtp.taken.map(({ mail: { messageId } }) => messageId)).toEqual([row.message_id]);
  });

  it('has failed after the last try, or when the server refuses it for good', async () => {
    const integration = await install();
    smtp.refuse = 451;
    const id = await queue();
    await drained(server, workspace);
    for (let tries = 0; tries < 4; tries++) await nextTry();
    expect(await rowOf(id)).toMatchObject({ status: 'failed', attempts: 5 });
    smtp.refuse = 550;
    const second = await queue();
    await drained(server, workspace);
    expect(await rowOf(second)).toMatchObject({ status: 'failed', attempts: 1, error: { code: 'smtp_550' } });
    const logs = (await workspace.api.get(`/integrations/${integration}/logs?sort=id`)).expect(200).rows;
    expect(logs.map(({ status }) => status)).toEqual([...Array<string>(4).fill('retrying'), 'failed', 'failed']);
  });

  it('says why when there is no server, or the wrong password, or none that may be reached', async () => {
    const none = await queue();
    await drained(server, workspace);
    expect(await rowOf(none)).toMatchObject({ status: 'failed', error: { code: 'no_account' } });
    const integration = await install(smtp.config({ password: 'wrong' }));
    const refused = await queue();
    await drained(server, workspace);
    expect(await rowOf(refused)).toMatchObject({ status: 'queued', error: { code: 'smtp_535' } });
    const config = { ...smtp.config(), host: '10.0.0.1' };
    (await workspace.api.patch(`/integrations/${integration}`, { config })).expect(200);
    const blocked = await queue();
    await drained(server, workspace);
    const message = 'The mail server could not be reached.';
    expect(await rowOf(blocked)).toMatchObject({ status: 'queued', error: { code: 'unreachable', message } });
  });
});

it('leaves through the operator’s server where the workspace has none', async () => {
  // On a database of its own: any other node that serves this one might take the job, and knows no such server.
  const scratch = await scratchDatabase({ migrated: true });
  const smtpUrl = `smtp://127.0.0.1:${smtp.port}`;
  const own = await startApp({ databaseUrl: scratch.serviceUrl, smtpUrl, mailFrom: 'Help <help@host.example>' });
  try {
    workspace = await makeWorkspace(own);
    await queue({}, own);
    await drained(own, workspace);
    expect(smtp.taken.map(({ from, mail: { messageId } }) => [from, messageId?.endsWith('@host.example>')])).toEqual([
      ['help@host.example', true],
    ]);
  } finally {
    await own.close();
    await scratch.drop();
  }
});

describe('addresses and ids', () => {
  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.1.2.3', '169.254.169.254', 'localhost', '2130706433', '0x7f.1'])(
    'the mail server %s may not be reached, unless it is the operator’s',
    async (host) => {
      await expect(vettedAddress(host, [])).rejects.toThrow('The mail server could not be reached.');
    },
  );

  it('an opened range and a trusted server may', async () => {
    expect(await vettedAddress('127.0.0.1', ['127.0.0.1/32'])).toBe('127.0.0.1');
    expect(await vettedAddress('10.0.0.1', [], true)).toBe('10.0.0.1');
  });

  it('reads addresses as mail programs write them, and nothing else', () => {
    expect(parseOneAddress('"Ada L." <Ada@B.example>')).toEqual({ name: 'Ada L.', address: 'ada@b.example' });
    expect(parseOneAddress('ada@b.example')).toEqual({ name: '', address: 'ada@b.example' });
    for (const text of ['', 'ada', 'a@b.example, c@d.example', 'a@b.example\r\nBcc: c@d.example'])
      expect(parseOneAddress(text)).toBeNull();
    expect(cleanAddress(`${'a'.repeat(250)}@b.example`)).toBeNull();
    expect(headerText('a\r\n b\0c', 10)).toBe('a  b c');
    const domains = ['ada@B.example', 'jürgen@Büro.example', '"a@b" <x>', 'ada', 'ada@'].map(domainOf);
    expect(domains).toEqual(['b.example', 'xn--bro-hoa.example', null, null, null]);
  });

  it('knows its own ids, and bounds those of others', () => {
    expect(nameInMessageId(newMessageId('TCK-000123', 'a.example'))).toBe('TCK-000123');
    expect(nameInMessageId(newMessageId(null, 'a.example'))).toBeNull();
    expect(nameInMessageId('<tck-000123.x@a.example>')).toBeNull();
    expect(knownMessageId(' <a@b>\r\n')).toBe('<a@b>');
    expect(knownMessageId('<>')).toBeNull();
    const long = knownMessageId(`<${'x'.repeat(2_000)}@b>`);
    expect(long).toMatch(/^<[0-9a-f]{64}@long>$/);
  });

  it('reads the operator’s account', () => {
    expect(operatorAccount('smtps://u%40x:p%2Fw@mail.example', 'Help <h@x.example>')).toMatchObject({
      host: 'mail.example',
      port: 465,
      security: 'tls',
      username: 'u@x',
      password: 'p/w',
      isTrusted: true,
    });
    expect(operatorAccount('smtp://mail.example', null)).toBeNull();
    expect(operatorAccount(null, 'h@x.example')).toBeNull();
  });

  it('tells failures that time may mend from those it will not', () => {
    const failures = [
      { responseCode: 421 },
      { responseCode: 550 },
      { responseCode: 535, code: 'EAUTH' },
      { code: 'ECONNECTION' },
      { code: 'EENVELOPE' },
    ].map((error) => mailFailure(Object.assign(new Error('x'), error)).isPermanent);
    expect(failures).toEqual([false, true, false, false, true]);
  });
});
