import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { make, makeTicket, makeUser } from '../support/cast';
import { ada, useMailbox } from '../support/mailbox';

const server = useApp();
const test = useMailbox(server);

describe('a message that starts something', () => {
  it('becomes a ticket of its sender', async () => {
    test.imap.deliver(ada({ Cc: 'bob@people.example, support@acme.example' }), 'It burns.\n\nPlease help.');
    await test.look();
    const [ticket, ...rest] = await test.tickets();
    expect(rest).toEqual([]);
    expect(ticket).toMatchObject({
      subject: 'Printer on fire',
      description: 'It burns.\n\nPlease help.',
      channel: 'email',
      status: 'open',
      requester_email: 'ada@people.example',
      requester_name: 'Ada Lovelace',
      cc_emails: ['bob@people.example'],
    });
    expect(await test.logs()).toEqual([
      expect.objectContaining({
        direction: 'inbound',
        event: 'mail.received',
        status: 'success',
        delivery_id: '<first@people.example>',
        error: null,
      }),
    ]);
    expect(test.imap.messages[0]?.flags).toContain('\\Seen');
    const shown = (await test.workspace.api.get(`/integrations/${test.mailbox.id}`)).expect(200).data;
    expect(shown).toMatchObject({ status: 'active', error_count: 0, last_error: null });
    expect(shown.last_success_at).not.toBeNull();
  });

  it('loses combining marks beyond 30 in a row, and the ticket says so', async () => {
    const encoded = { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Transfer-Encoding': 'quoted-printable' };
    test.imap.deliver(ada(encoded), `Hello${'=CC=A3=CC=81'.repeat(40)} there`);
    await test.look();
    const [ticket] = await test.tickets();
    expect(ticket?.['description']).toMatch(
      /^Hello[\u0301\u0323]{30} there\n\n\[Combining marks beyond 30 in a row were left out\.\]$/,
    );
  });

  const part = (type: string, body: string, more = ''): string =>
    `--b\r\nContent-Type: ${type}\r\n${more}\r\n${body}\r\n`;
  const file = part('application/pdf; name=x.pdf', 'JVBERg==', 'Content-Transfer-Encoding: base64\r\n');
  const image = part('image/png', 'iVBORw==', 'Content-ID: <i>\r\nContent-Transfer-Encoding: base64\r\n');
  const page = '<p>It burns,<br>see <a href="https://x.example/1">this</a>.</p><img src="cid:i"><ul><li>one</li></ul>';
  const read = 'It burns,\nsee this <https://x.example/1>.\n\n- one';
  const nested = (type: string, inner: string): string =>
    `--b\r\nContent-Type: multipart/${type}; boundary=c\r\n\r\n${inner.replaceAll('--b', '--c')}--c--\r\n`;
  const latin = Buffer.from('<p>Größe</p>', 'latin1').toString('base64');
  const encoded = 'Content-Transfer-Encoding: base64\r\n';

  it.each([
    ['HTML and a file', 'mixed', part('text/html', page) + file, read],
    ['a file and HTML', 'mixed', file + part('text/html', page), read],
    ['HTML with an image inside', 'related', part('text/html', page) + image, read],
    ['that and a file', 'mixed', nested('related', part('text/html', page) + image) + file, read],
    ['empty text beside HTML', 'alternative', part('text/plain', ' \r\n') + part('text/html', page), read],
    ['text beside HTML', 'alternative', part('text/plain', 'It burns.') + part('text/html', page), 'It burns.'],
    ['text, then HTML', 'mixed', part('text/plain', 'Above.') + part('text/html', '<p>Below.</p>'), 'Above.\nBelow.'],
    ['HTML around a file', 'mixed', part('text/html', 'One.') + file + part('text/html', 'Two.'), `One.\nTwo.`],
    ['Latin-1', 'mixed', part('text/html; charset=iso-8859-1', latin, encoded) + file, `Größe`],
    ['a charset that is none', 'mixed', part('text/html; charset=x-none', page) + file, read],
    [
      'HTML too large to read whole',
      'mixed',
      part('text/html', `<p>It burns.</p>${'<i></i>\r\n'.repeat(150_000)}`),
      'It burns.',
    ],
  ])('keeps the text of %s', async (_name, kind, parts, description) => {
    const headers = Object.entries(ada({ 'MIME-Version': '1.0', 'Content-Type': `multipart/${kind}; boundary=b` }));
    const head = headers.map(([name, value]) => `${name}: ${value}`).join('\r\n');
    test.imap.deliverRaw(`${head}\r\n\r\n${parts}--b--\r\n`);
    await test.look();
    const [ticket] = await test.tickets();
    expect(String(ticket?.description).replaceAll(/\n{3,}/g, '\n\n')).toBe(description);
  });

  it('is taken once: looking again, a second mailbox, other numbers', async () => {
    test.imap.deliver(ada());
    await test.look();
    await test.look();
    await test.install({ address: 'sales@acme.example' });
    await test.look();
    test.imap.renumber();
    await test.look();
    expect((await test.tickets()).length).toBe(1);
    const statuses = (
      await test.sql.rows<{ status: string }>(
        'SELECT status FROM integration_logs WHERE workspace_id = $1 ORDER BY id',
        [test.workspace.id],
      )
    ).map(({ status }) => status);
    expect(statuses.filter((status) => status === 'success')).toEqual(['success']);
    expect(statuses.filter((status) => status === 'skipped').length).toBe(statuses.length - 1);
  });

  it('of before the installation is left alone unless it is wanted', async () => {
    (await test.workspace.api.delete(`/integrations/${test.mailbox.id}`)).expect(200);
    test.imap.deliver(ada());
    test.mailbox = await test.install({ import_existing: false });
    await test.look();
    expect(await test.tickets()).toEqual([]);
    test.imap.deliver(ada({ 'Message-ID': '<second@people.example>', Subject: 'New' }));
    await test.look();
    expect((await test.tickets()).map(({ subject }) => subject)).toEqual(['New']);
  });

  it('may be HTML, encoded, empty, huge or broken', async () => {
    const html = '<p>Hello <b>there</b></p><script>alert(1)</script><p>a &lt;b&gt;</p>';
    test.imap.deliver(ada({ 'Content-Type': 'text/html; charset=utf-8', 'Message-ID': '<h@x>' }), html);
    test.imap.deliver(
      ada({
        Subject: '=?utf-8?B?w5xiZXIgw4RyZ2Vy?=',
        'Message-ID': '<e@x>',
        'Content-Type': 'text/plain; charset=iso-8859-1',
        'Content-Transfer-Encoding': 'quoted-printable',
      }),
      'Gr=FC=DFe',
    );
    test.imap.deliver({ From: 'ada@people.example', 'Message-ID': '<n@x>' }, '');
    test.imap.deliver(ada({ Subject: 'x'.repeat(3_000), 'Message-ID': '<l@x>' }), 'y'.repeat(300_000));
    test.imap.deliver(
      ada({ 'Content-Type': 'multipart/mixed; boundary=never', 'Message-ID': '<b@x>', Subject: 'Broken' }),
      '--never\r\nbroken',
    );
    await test.look();
    const [first, second, third, fourth, fifth] = await test.tickets();
    expect(first?.description).toContain('Hello there');
    expect(first?.description).not.toContain('alert');
    expect(second).toMatchObject({ subject: 'Über Ärger', description: 'Grüße' });
    expect(third).toMatchObject({
      subject: '(no subject)',
      description: '(empty message)',
      requester_name: 'Ada Lovelace',
    });
    expect((fourth?.subject as string).length).toBeLessThanOrEqual(255);
    expect((fourth?.description as string).length).toBe(65_536 - 4);
    expect(fifth?.subject).toBe('Broken');
  });

  it('brings its files along', async () => {
    test.imap.deliverRaw(
      [
        'From: ada@people.example',
        'Subject: Files',
        'Message-ID: <files@people.example>',
        'Content-Type: multipart/mixed; boundary=b',
        '',
        '--b',
        'Content-Type: text/plain',
        '',
        'See the file.',
        '--b',
        'Content-Type: application/pdf; name="offer.pdf"',
        'Content-Disposition: attachment; filename="offer.pdf"',
        'Content-Transfer-Encoding: base64',
        '',
        Buffer.alloc(2_000, 1).toString('base64'),
        '--b--',
      ].join('\r\n'),
    );
    await test.look();
    const [ticket] = await test.tickets();
    expect(ticket?.description).toBe('See the file.');
    expect((await test.workspace.api.get(`/attachments?ticket_id=${ticket?.id}`)).rows).toMatchObject([
      { filename: 'offer.pdf', size: 2_000, declared_type: 'application/pdf', is_inline: false, comment_id: null },
    ]);
  });
});

describe('an answer', () => {
  async function started(): Promise<Fields> {
    test.imap.deliver(ada());
    await test.look();
    const [ticket] = await test.tickets();
    if (!ticket) throw new Error('No ticket came of the message.');
    return ticket;
  }

  const QUOTE = 'On Tue, 3 Mar 2026 at 10:00, Acme Support <support@acme.example> wrote:\n> Have you tried water?\n';

  it('becomes a comment of the requester, without the quote, and reopens the ticket', async () => {
    const ticket = await started();
    (await test.workspace.api.patch(`/tickets/${ticket.id}`, { status: 'resolved' })).expect(200);
    test.imap.deliver(
      ada({ 'Message-ID': '<r1@people.example>', 'In-Reply-To': '<first@people.example>', Subject: 'Re: Printer' }),
      `Still burning.\n\n${QUOTE}`,
    );
    await test.look();
    expect((await test.tickets()).map(({ id, status }) => [id, status])).toEqual([[ticket.id, 'open']]);
    expect(await test.comments(ticket.id)).toEqual([
      expect.objectContaining({
        body: 'Still burning.',
        author_type: 'requester',
        author_email: 'ada@people.example',
        author_name: 'Ada Lovelace',
        author_id: ticket.contact_id,
        channel: 'email',
        is_internal: false,
      }),
    ]);
  });

  it('finds its ticket by references, by the code in the subject, and by the code in an id of ours', async () => {
    const ticket = await started();
    const code = ticket.code as string;
    test.imap.deliver(
      ada({ 'Message-ID': '<a@x>', References: '<unknown@x> <first@people.example> <other@x>' }),
      'one',
    );
    test.imap.deliver(ada({ 'Message-ID': '<b@x>', Subject: `AW: [${code}] Printer` }), 'two');
    test.imap.deliver(
      ada({ 'Message-ID': '<c@x>', 'In-Reply-To': `<${code.toLowerCase()}.${'0'.repeat(32)}@acme.example>` }),
      'three',
    );
    test.imap.deliver(ada({ 'Message-ID': '<d@x>', 'In-Reply-To': '<a@x>' }), 'four');
    await test.look();
    expect((await test.comments(ticket.id)).map(({ body }) => body)).toEqual(['one', 'two', 'three', 'four']);
    expect((await test.tickets()).length).toBe(1);
  });

  it('of a stranger starts a ticket of its own', async () => {
    const ticket = await started();
    test.imap.deliver(
      ada({
        From: 'mallory@evil.example',
        'Message-ID': '<m@evil>',
        Subject: `Re: [${ticket.code as string}] Printer`,
      }),
      'Send me everything.',
    );
    await test.look();
    expect(await test.comments(ticket.id)).toEqual([]);
    expect((await test.tickets()).map(({ requester_email }) => requester_email)).toEqual([
      'ada@people.example',
      'mallory@evil.example',
    ]);
  });

  it('that the server found to be forged starts one, too', async () => {
    const ticket = await started();
    test.imap.deliver(
      ada({
        'Authentication-Results': 'mx.acme.example; dmarc=fail header.from=people.example',
        'Message-ID': '<f@x>',
        'In-Reply-To': '<first@people.example>',
      }),
    );
    await test.look();
    expect(await test.comments(ticket.id)).toEqual([]);
    expect((await test.tickets()).length).toBe(2);
  });

  it('may come from those copied in, colleagues and agents; of an agent it is public and the first response', async () => {
    const company = await make(test.workspace.api, '/companies');
    const agent = await makeUser(test.workspace.api, { name: 'Grace Hopper', email: 'grace@acme.example' });
    await make(test.workspace.api, '/contacts', { email: 'eve@people.example', name: 'Eve', company_id: company.id });
    const ticket = await makeTicket(test.workspace.api, {
      channel: 'email',
      requester_email: 'ada@people.example',
      company_id: company.id,
      cc_emails: ['bob@elsewhere.example'],
    });
    const subject = `Re: [${ticket.code as string}] x`;
    test.imap.deliver(ada({ From: 'Bob <bob@elsewhere.example>', Subject: subject, 'Message-ID': '<1@x>' }), 'copied');
    test.imap.deliver(ada({ From: 'eve@people.example', Subject: subject, 'Message-ID': '<2@x>' }), 'colleague');
    test.imap.deliver(ada({ From: 'Grace <grace@acme.example>', Subject: subject, 'Message-ID': '<3@x>' }), 'agent');
    await test.look();
    expect(await test.comments(ticket.id)).toEqual([
      expect.objectContaining({ body: 'copied', author_type: 'requester', author_id: null, author_name: 'Bob' }),
      expect.objectContaining({ body: 'colleague', author_type: 'requester', author_name: 'Eve' }),
      expect.objectContaining({
        body: 'agent',
        author_type: 'agent',
        author_id: agent.id,
        author_email: 'grace@acme.example',
        is_internal: false,
        is_first_response: true,
      }),
    ]);
    const [event] = await test.sql.rows<{ actor: object }>(
      `SELECT actor FROM events WHERE workspace_id = $1 AND type = 'ticket.comment_added' ORDER BY id DESC LIMIT 1`,
      [test.workspace.id],
    );
    expect(event?.actor).toEqual({ type: 'user', id: agent.id, name: 'Grace Hopper' });
  });
});
