import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { ada, useMailbox } from '../support/mailbox';
import { useSmtpServer } from '../support/mail-servers';
import { drained } from '../support/jobs';
import { makePerson } from '../support/people';

const server = useApp();
const test = useMailbox(server);
const smtp = useSmtpServer();
let outgoing: Fields;
let ticket: Fields;

beforeEach(async () => {
  const body = { provider: 'smtp', config: smtp.config() };
  outgoing = (await test.workspace.api.post('/integrations', body)).expect(201).data;
  test.imap.deliver(ada({ Cc: 'bob@people.example, support@acme.example' }), 'It burns.');
  await test.look();
  const [first] = await test.tickets();
  if (!first) throw new Error('No ticket came of the message.');
  ticket = first;
});

async function comment(body: Record<string, unknown>): Promise<void> {
  (await test.workspace.api.post(`/tickets/${ticket.id}/comments`, body)).expect(201);
  await drained(server, test.workspace);
}

it('mails an agent’s answer to who wrote in, once, as part of the thread', async () => {
  await comment({ body: 'Have you tried water?' });
  await drained(server, test.workspace);
  const [answer, ...rest] = smtp.taken;
  expect(rest).toEqual([]);
  expect(answer?.to).toEqual(['ada@people.example', 'bob@people.example']);
  expect(answer?.mail).toMatchObject({
    subject: `Re: [${ticket.code as string}] Printer on fire`,
    inReplyTo: '<first@people.example>',
    references: '<first@people.example>',
  });
  expect(answer?.mail.text).toContain('Have you tried water?');
  expect(answer?.mail.replyTo?.text).toBe('support@acme.example');
  expect(answer?.mail.headers.has('auto-submitted')).toBe(false);
});

it('copies neither blocked contacts nor the mailboxes that are read in', async () => {
  const { api } = test.workspace;
  (await api.post('/contacts', { email: 'spam@people.example', status: 'blocked' })).expect(201);
  const cc_emails = ['support@acme.example', 'spam@people.example', 'eve@people.example'];
  (await api.patch(`/tickets/${ticket.id}`, { cc_emails })).expect(200);
  await comment({ body: 'Have you tried water?' });
  expect(smtp.taken.map(({ to }) => to)).toEqual([['ada@people.example', 'eve@people.example']]);
});

it('writes Markdown out, as HTML without the writer’s own and as text, under a Message-ID of the sender’s domain', async () => {
  const body =
    'Please **restart** it:\n\n1. Hold the <b>button</b>\n2. Wait\n\nsee [the manual](https://docs.example/x) ' +
    'or [this](javascript:alert(1)) ![pixel](https://spy.example/p.png)\n<script>alert(1)</script>';
  await comment({ body });
  const { mail, raw } = smtp.taken[0]!;
  expect(raw).toContain('multipart/alternative');
  expect(mail.text).toMatch(
    /-##\n\nPlease restart it:\n\n 1\. Hold the <b>button<\/b>\n 2\. Wait\n\nsee the manual <https:\/\/docs\.example\/x> or /,
  );
  expect(mail.text).not.toMatch(/\*\*|\]\(https/);
  const html = String(mail.html);
  expect(html).toContain('<strong>restart</strong>');
  expect(html).toMatch(/<li [^>]*>Hold the &lt;b&gt;button&lt;\/b&gt;<\/li>/);
  expect(html).toMatch(/<a href="https:\/\/docs\.example\/x" style="color:#1f5fbf" class="link">the manual<\/a>/);
  expect(html).not.toMatch(/<script|<b>|<img|href="javascript/);
  expect(mail.messageId).toMatch(/^<tck-\d{6}\.[0-9a-f]{32}@acme\.example>$/);
});

it('finds the ticket of mail that was sent under another domain before', async () => {
  const old = `<${String(ticket.code).toLowerCase()}.${'0'.repeat(32)}@helpdesk.invalid>`;
  test.imap.deliver(
    ada({ 'Message-ID': '<later@people.example>', References: old, Subject: 'Other' }),
    'It is me again.',
  );
  await test.look();
  expect((await test.tickets()).length).toBe(1);
  expect((await test.comments(ticket.id)).map(({ body }) => body)).toEqual(['It is me again.']);
});

it('takes the answer to that into the same ticket, and mails nothing back', async () => {
  await comment({ body: 'Have you tried water?' });
  const sent = smtp.taken[0]?.mail.messageId ?? '';
  test.imap.deliver(
    ada({ 'Message-ID': '<second@people.example>', 'In-Reply-To': sent, Subject: 'completely different' }),
    'Yes.\n\nOn Tue, 3 Mar 2026 at 10:00, Acme <support@acme.example> wrote:\n> Have you tried water?',
  );
  await test.look();
  expect((await test.tickets()).length).toBe(1);
  expect((await test.comments(ticket.id)).map(({ body, author_type }) => [body, author_type])).toEqual([
    ['Have you tried water?', 'agent'],
    ['Yes.', 'requester'],
  ]);
  expect(smtp.taken.length).toBe(1);
  await comment({ body: 'More water, then.' });
  expect(smtp.taken[1]?.mail.inReplyTo).toBe('<second@people.example>');
  expect(smtp.taken[1]?.mail.references).toEqual(['<first@people.example>', sent, '<second@people.example>']);
});

it('keeps to itself what is internal, what the requester said, and what is about tickets of other channels', async () => {
  await comment({ body: 'Do not tell.', is_internal: true });
  await comment({ body: 'I said that on the phone.', author_type: 'requester' });
  const body = { subject: 'By phone', channel: 'phone', requester_email: 'ada@people.example' };
  const other = (await test.workspace.api.post('/tickets', body)).expect(201).data;
  (await test.workspace.api.post(`/tickets/${other.id}/comments`, { body: 'Hello' })).expect(201);
  await drained(server, test.workspace);
  expect(smtp.taken).toEqual([]);
});

it('is silent when replies are switched off everywhere, or nothing can send them', async () => {
  const off = { config: { send_replies: false } };
  (await test.workspace.api.patch(`/integrations/${outgoing.id}`, off)).expect(200);
  (await test.workspace.api.patch(`/integrations/${test.mailbox.id}`, off)).expect(200);
  await comment({ body: 'Hello' });
  (await test.workspace.api.patch(`/integrations/${test.mailbox.id}`, { config: { send_replies: true } })).expect(200);
  (await test.workspace.api.patch(`/integrations/${outgoing.id}`, { status: 'disabled' })).expect(200);
  await comment({ body: 'Hello again' });
  expect(smtp.taken).toEqual([]);
  const kept = await test.sql.rows('SELECT id FROM outgoing_mails WHERE workspace_id = $1', [test.workspace.id]);
  expect(kept).toEqual([]);
});

it('is signed by the agent who wrote it, else by the team or the workspace, never by a token', async () => {
  const signature = (): string | undefined => /\n-- \n(.+)/.exec(smtp.taken.at(-1)?.mail.text ?? '')?.[1];
  const { api } = test.workspace;
  const { name } = (await api.get('/me')).data.workspace as { name: string };
  await comment({ body: 'By an app.' });
  expect(signature()).toBe(name);
  const team = (await api.post('/teams', { name: 'Fire brigade' })).expect(201).data;
  (await api.patch(`/tickets/${ticket.id}`, { team_id: team.id })).expect(200);
  await comment({ body: 'By an app, for the team.' });
  expect(signature()).toBe('Fire brigade');
  const ines = await makePerson(server, test.workspace, { name: 'Ines Ortega' });
  (await ines.api.post(`/tickets/${ticket.id}/comments`, { body: 'By a person.' })).expect(201);
  await drained(server, test.workspace);
  expect(signature()).toBe('Ines Ortega');
});

it('repeats what was said before, never what was said among agents or taken back, and cuts all of it out of the answer', async () => {
  const { api } = test.workspace;
  await comment({ body: 'Have you tried **water**?' });
  await comment({ body: 'Among us: it is lost.', is_internal: true });
  const doomed = (await api.post(`/tickets/${ticket.id}/comments`, { body: 'Wrong number.' })).expect(201).data;
  (await api.delete(`/tickets/${ticket.id}/comments/${doomed.id}`)).expect(200);
  await comment({ body: 'Or sand?' });
  // The one that was taken back may have been sent by then, and even be the last to come.
  const { mail } = smtp.taken.find((taken) => taken.mail.text?.includes('Or sand?'))!;
  const text = mail.text ?? '';
  expect(text).toMatch(/^##- Please write your answer above this line -##\n\nOr sand\?\n/);
  const history = text.slice(text.indexOf('Earlier messages'));
  expect(history).toMatch(
    /wrote on [^\n]+:\n> Have you tried water\?\n\nAda Lovelace wrote on [^\n]+:\n> It burns\.\n/,
  );
  expect(text).not.toMatch(/Among us|Wrong number/);
  expect(String(mail.html)).toContain('<strong>water</strong>');
  test.imap.deliver(
    ada({ 'Message-ID': '<sand@people.example>', 'In-Reply-To': mail.messageId ?? '', Subject: 'x' }),
    `It is out.\n\nOn Tue, 3 Mar 2026 at 10:00, Acme\n<support@acme.example> wrote:\n\n${text}`,
  );
  await test.look();
  expect((await test.comments(ticket.id)).at(-1)?.body).toBe('It is out.');
});

it('carries the signature of the agent or the team, and the words of the requester’s language', async () => {
  const { api } = test.workspace;
  const [contact] = (await api.get('/contacts?email=ada@people.example')).rows;
  (await api.patch(`/contacts/${contact?.id ?? 0}`, { language: 'de' })).expect(200);
  (await api.patch('/workspace', { settings: { mail_signature: 'Acme **Support**' } })).expect(200);
  const team = (await api.post('/teams', { name: 'Fire brigade', signature: 'Fire _brigade_' })).expect(201).data;
  (await api.patch(`/tickets/${ticket.id}`, { team_id: team.id })).expect(200);
  await comment({ body: 'By an app.' });
  expect(smtp.taken.at(-1)?.mail.text).toContain('-- \nFire brigade\n\nAcme Support\n\nFrühere Nachrichten');
  const ines = await makePerson(server, test.workspace, { name: 'Ines Ortega', signature: '*Ines*\nSecond line' });
  (await ines.api.post(`/tickets/${ticket.id}/comments`, { body: 'By a person.' })).expect(201);
  await drained(server, test.workspace);
  expect(smtp.taken.at(-1)?.mail.text).toContain('-- \nInes\nSecond line\n\nAcme Support');
  expect(smtp.taken.at(-1)?.mail.html).toContain('<html lang="de" dir="ltr">');
});
