import { MAIL_KINDS } from '../../src/areas/mail-templates/mail-kinds';
import { checkText, chosenText, filledText, type MailText } from '../../src/platform/mail/texts/mail-kind';
import { receivedMail, replyMail } from '../../src/areas/integrations/ticket-mails';
import { useApp } from '../support/app';
import { drained } from '../support/jobs';
import { ada, useMailbox } from '../support/mailbox';
import { useSmtpServer } from '../support/mail-servers';

const server = useApp();
const test = useMailbox(server);
const smtp = useSmtpServer();
const api = () => test.workspace.api;

beforeEach(async () => {
  (await api().post('/integrations', { provider: 'smtp', config: smtp.config() })).expect(201);
});

const template = async (body: object): Promise<number> =>
  (await api().post('/mail-templates', body)).expect(201).data.id;

it('says in the workspace’s own words that a ticket is there, in the language of who wrote, and in ours again without them', async () => {
  (await api().patch('/workspace', { settings: { mail_ticket_received: true, mail_ticket_resolved: true } })).expect(
    200,
  );
  const own = {
    kind: 'ticket_received',
    language: 'de',
    subject: 'Da: {{ticket.code}}',
    body: 'Moin {{requester.name}}: **{{ticket.subject}}**',
  };
  const id = await template(own);
  (await api().post('/contacts', { email: 'ada@people.example', name: 'Ada', language: 'de-AT' })).expect(201);
  test.imap.deliver(ada({ Subject: 'Click [here](http://evil.example) *now*' }));
  await test.look();
  const [ticket] = await test.tickets();
  expect(smtp.taken).toHaveLength(1);
  const { mail } = smtp.taken[0]!;
  expect(mail.subject).toBe(`Da: ${String(ticket?.code)}`);
  expect(mail.text).toContain('Moin Ada Lovelace: Click [here](http://evil.example) *now*\n');
  expect(String(mail.html)).not.toContain('>here<');
  expect(mail).toMatchObject({ inReplyTo: '<first@people.example>', references: '<first@people.example>' });
  expect(mail.replyTo?.text).toBe('support@acme.example');
  expect(mail.headers.get('auto-submitted')).toBe('auto-generated');
  (await api().delete(`/mail-templates/${id}`)).expect(200);
  (await api().patch(`/tickets/${ticket?.id ?? 0}`, { status: 'resolved' })).expect(200);
  await drained(server, test.workspace);
  expect(smtp.taken.at(-1)?.mail.subject).toBe(`[${String(ticket?.code)}] Ihre Anfrage ist gelöst`);
  test.imap.deliver(ada({ 'Message-ID': '<b@x>', From: 'bob@people.example', Subject: 'Other' }));
  await test.look();
  expect(smtp.taken.at(-1)?.mail.subject).toMatch(/^\[TCK-\d+\] We have your request$/);
});

it('answers no machine, and nobody twice', async () => {
  (await api().patch('/workspace', { settings: { mail_ticket_received: true } })).expect(200);
  test.imap.deliver(ada({ 'List-Id': '<dev.people.example>' }));
  test.imap.deliver(ada({ 'Message-ID': '<ooo@x>', 'Auto-Submitted': 'auto-replied' }));
  await test.look();
  expect(await test.tickets()).toHaveLength(1);
  (
    await api().post('/tickets', { subject: 'By phone', channel: 'phone', requester_email: 'ada@people.example' })
  ).expect(201);
  await drained(server, test.workspace);
  expect(smtp.taken).toEqual([]);
});

it('goes round in no circle with another desk that tells everybody that their ticket is there', async () => {
  (await api().patch('/workspace', { settings: { mail_ticket_received: true } })).expect(200);
  test.imap.deliver(ada());
  await test.look();
  const { raw } = smtp.taken[0]!;
  expect(raw).toContain('From: Acme Support <helpdesk@acme.example>');
  // What the other desk would send: the same mail, of its own.
  const theirs = raw
    .replace(/^From: .*$/m, 'From: Other <other@desk.example>')
    .replace(/^Message-ID: .*$/m, 'Message-ID: <x@desk.example>');
  test.imap.deliverRaw(theirs);
  await test.look();
  expect([smtp.taken.length, (await test.tickets()).length]).toEqual([1, 1]);
  expect(await test.logs('&status=skipped')).toMatchObject([{ error: { code: 'auto_reply' } }]);
});

it('puts what agents write into the words around it', async () => {
  const around = {
    kind: 'reply',
    language: 'en',
    subject: 'About {{ticket.subject}}',
    body: 'Dear {{requester.name}},\n\n{{message}}\n\nBye',
  };
  expect((await api().post('/mail-templates', { ...around, body: 'Nothing' })).expect(422).codes).toEqual({
    body: 'missing_variable',
  });
  await template({ ...around, body: around.body.replace('{{message}}', '{{ message }}') });
  test.imap.deliver(ada());
  await test.look();
  const [ticket] = await test.tickets();
  (await api().post(`/tickets/${ticket?.id ?? 0}/comments`, { body: 'Try **water**.' })).expect(201);
  await drained(server, test.workspace);
  const { mail } = smtp.taken[0]!;
  expect(mail.subject).toBe('About Printer on fire');
  expect(mail.text).toContain('Dear Ada Lovelace,\n\nTry water.\n\nBye');
  expect(String(mail.html)).toContain('<strong>water</strong>');
});

it('is looked at before it is used, and stays within its workspace', async () => {
  const kinds = (await api().get('/mail-templates/kinds?per_page=100')).expect(200);
  expect(kinds.rows.map(({ kind }) => kind)).toEqual(MAIL_KINDS.map(({ key }) => key));
  for (const { kind } of kinds.rows) {
    const shown = (await api().post('/mail-templates/preview', { kind, language: 'de' })).expect(200).data;
    expect(shown).toMatchObject({ language: 'de', is_default: true });
    expect(String(shown.subject) + String(shown.text)).not.toMatch(/\{\{|undefined/);
    expect(String(shown.html)).toContain('<html lang="de" dir="ltr">');
  }
  const tried = { kind: 'ticket_received', body: '{{ticket.code}} <b>x</b>' };
  const shown = (await api().post('/mail-templates/preview', tried)).expect(200).data;
  expect(shown).toMatchObject({ is_default: false, text: 'TCK-000123 <b>x</b>\n' });
  for (const body of [
    '{{nobody}}',
    '{{#ticket.code}}x{{/ticket.code}}',
    '{{> x}}',
    '{{=<% %>=}}',
    '{{ticket.code}}'.repeat(101),
  ])
    (await api().post('/mail-templates/preview', { ...tried, body })).expect(422);
  (await api().post('/mail-templates/preview', { kind: 'nothing' })).expect(422);
  expect(smtp.taken).toEqual([]);
});

describe('a text', () => {
  it('of every kind says something in five languages, with variables that there are', () => {
    for (const kind of MAIL_KINDS) {
      for (const { subject, text } of Object.values(kind.texts)) {
        const problems: never[] = [];
        checkText(kind, { subject, body: text }, [], problems);
        expect(problems).toEqual([]);
      }
      expect(Object.keys(kind.texts)).toEqual(kind.key === 'reply' ? ['en'] : ['en', 'de', 'fr', 'es', 'it']);
    }
    expect(new Set(MAIL_KINDS.map(({ key }) => key)).size).toBe(MAIL_KINDS.length);
  });

  it('is chosen by language, the own one first, and is English where there is no other', () => {
    const own = new Map<string, MailText>([['nl', { subject: 'x', text: 'y' }]]);
    const chosen = (...languages: string[]): string => {
      const { language, isOwn } = chosenText(receivedMail, own, languages);
      return `${language}${isOwn ? ' own' : ''}`;
    };
    expect([chosen('nl-BE', 'de'), chosen('de-AT', 'nl'), chosen('pt', 'nl'), chosen('pt', 'ja')]).toEqual([
      'nl own',
      'de',
      'nl own',
      'en',
    ]);
  });

  it('shows values as they are, but for those that are Markdown', () => {
    const values = { 'ticket.subject': '*x* [a](b)', message: '**m**' };
    expect(
      filledText({ subject: '{{ticket.subject}}', text: '{{ticket.subject}} {{message}}' }, replyMail, values),
    ).toEqual({
      subject: '*x* [a](b)',
      text: String.raw`\*x\* \[a\](b) **m**`,
    });
  });
});
