import { useApp } from '../support/app';
import { drained } from '../support/jobs';
import { useSmtpServer } from '../support/mail-servers';
import { useMailbox } from '../support/mailbox';
import { uploaded } from '../support/uploads';

const server = useApp();
const test = useMailbox(server);
const smtp = useSmtpServer();

const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** A message with a picture in its text and a file beside it. */
function message(id: string, more: readonly string[] = []): string {
  return [
    'From: ada@people.example',
    'To: support@acme.example',
    'Subject: Files',
    `Message-ID: <${id}@people.example>`,
    ...more,
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: multipart/related; boundary=c',
    '',
    '--c',
    'Content-Type: text/html',
    '',
    '<p>Look: <img src="cid:shot@x"></p>',
    '--c',
    'Content-Type: image/png; name=shot.png',
    'Content-ID: <shot@x>',
    'Content-Disposition: inline; filename=shot.png',
    'Content-Transfer-Encoding: base64',
    '',
    PICTURE,
    '--c--',
    '--b',
    'Content-Type: text/html; name="../../evil.html"',
    'Content-Disposition: attachment; filename="../../evil.html"',
    '',
    '<script>alert(1)</script>',
    '--b--',
  ].join('\r\n');
}

it('keeps the files and pictures of a message, with the ticket or the comment that it becomes', async () => {
  const { api } = test.workspace;
  test.imap.deliverRaw(message('one'));
  await test.look();
  const [ticket] = await test.tickets();
  expect(ticket?.description).toBe('Look:');
  const files = (await api.get(`/attachments?ticket_id=${ticket?.id}&sort=id`)).rows;
  expect(files).toMatchObject([
    { filename: 'shot.png', content_type: 'image/png', is_inline: true, content_id: 'shot@x', comment_id: null },
    { filename: 'evil.html', content_type: 'text/html', is_inline: false, content_id: null },
  ]);
  test.imap.deliverRaw(message('two', ['In-Reply-To: <one@people.example>']));
  await test.look();
  const [comment] = await test.comments(ticket?.id ?? 0);
  expect(comment?.attachments).toMatchObject([{ filename: 'shot.png' }, { filename: 'evil.html' }]);
  expect((await api.get(`/attachments?comment_id=${comment?.id}`)).meta.total).toBe(2);
  // What was let in before leaves nothing.
  test.imap.deliverRaw(message('two'));
  await test.look();
  expect((await api.get('/attachments')).meta.total).toBe(4);
});

it('sends the files of an answer along, and links to those that are too large', async () => {
  const { api } = test.workspace;
  (await api.post('/integrations', { provider: 'smtp', config: smtp.config() })).expect(201);
  test.imap.deliverRaw(message('one'));
  await test.look();
  const [ticket] = await test.tickets();
  const small = await uploaded(api, 'a,b', 'prices ä.csv', 'text/csv');
  const large = await uploaded(api, Buffer.alloc(11 * 1_048_576, 'x'), 'film.bin', 'application/octet-stream');
  const body = { body: 'See the files.', attachment_ids: [large.id, small.id] };
  (await api.post(`/tickets/${ticket?.id}/comments`, body)).expect(201);
  await drained(server, test.workspace);
  const { mail } = smtp.taken[0]!;
  expect(
    mail.attachments.map(({ filename, contentType, content }) => [filename, contentType, content.toString()]),
  ).toEqual([['prices ä.csv', 'text/csv', 'a,b']]);
  expect(mail.text).toContain('film.bin (11 MB):');
  const link = /http\S+\/p\/attachments\/\S+/.exec(mail.text ?? '')?.[0] ?? '';
  expect(String(mail.html)).toContain(link);
  const answer = await fetch(`${server.url}${new URL(link).pathname}`);
  expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, 11 * 1_048_576]);
});

it('says of how many files a message was relieved, and of nobody by a name that shows nothing', async () => {
  const file = (n: number): string[] => [
    '--b',
    `Content-Type: text/plain; name=f${n}.txt`,
    `Content-Disposition: attachment; filename=f${n}.txt`,
    '',
    `${n}`,
  ];
  const head = [
    'From: =?utf-8?B?4oCL?= <ada@people.example>',
    'To: support@acme.example',
    'Subject: Files',
    'Message-ID: <many@people.example>',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    ...['--b', 'Content-Type: text/plain', '', 'All of them.'],
  ];
  test.imap.deliverRaw([...head, ...Array.from({ length: 23 }, (_, n) => file(n)).flat(), '--b--'].join('\r\n'));
  await test.look();
  const [ticket] = await test.tickets();
  expect(ticket).toMatchObject({
    description: 'All of them.\n\n[3 more files were not kept; of a message the first 20 are.]',
    requester_name: null,
  });
  expect((await test.workspace.api.get(`/attachments?ticket_id=${ticket?.id}`)).meta.total).toBe(20);
});
