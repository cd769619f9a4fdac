import fc from 'fast-check';
import { deliveryStatus } from '../../src/platform/mail/delivery-status';
import { readBounce } from '../../src/areas/integrations/mail-in/bounce-report';
import { MOST_PER_HOUR } from '../../src/platform/mail/mail-addresses';
import { Mailer } from '../../src/platform/mail/mailer';
import { Database } from '../../src/platform/database/database';
import { eventsOf } from '../support/event-log';
import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { drained } from '../support/jobs';
import { bounceReport as report } from '../support/bounce-report';
import { ada, useMailbox } from '../support/mailbox';
import { useSmtpServer } from '../support/mail-servers';

const server = useApp();
const test = useMailbox(server);
const smtp = useSmtpServer();

describe('mail that comes back', () => {
  let ticket: Fields;

  beforeEach(async () => {
    const body = { provider: 'smtp', config: smtp.config() };
    (await test.workspace.api.post('/integrations', body)).expect(201);
    test.imap.deliver(ada(), 'It burns.');
    await test.look();
    ticket = (await test.tickets())[0] ?? (undefined as never);
    await comment('Have you tried water?');
  });

  async function comment(body: string): Promise<void> {
    (await test.workspace.api.post(`/tickets/${ticket.id}/comments`, { body })).expect(201);
    await drained(server, test.workspace);
  }
  const contact = async (): Promise<Fields> =>
    (await test.workspace.api.get('/contacts?email=ada@people.example')).rows[0]!;
  const sent = (): string => smtp.taken.at(-1)?.mail.messageId ?? '';
  const automatic = (to: string): Promise<number> =>
    server.app
      .get(Database)
      .inWorkspace(test.workspace.id, { type: 'system', id: null, name: 'test' }, () =>
        server.app.get(Database).transaction(() => server.app.get(Mailer).queue({ to: [to], subject: 'x', text: 'y' })),
      );
  const failureOf = async (id: number): Promise<unknown> => {
    const [row] = await test.sql.rows(`SELECT error ->> 'code' AS code FROM outgoing_mails WHERE id = $1`, [id]);
    return row?.code;
  };

  it('is told to the ticket and marks the contact; what is automatic goes there no more, until the address is corrected', async () => {
    test.imap.deliverRaw(report(sent(), 'ada@people.example'));
    await test.look();
    expect((await test.tickets()).length).toBe(1);
    const notes = (await test.comments(ticket.id)).filter(({ is_internal }) => is_internal);
    expect(notes).toMatchObject([{ author_type: 'system' }]);
    expect(notes[0]?.body).toContain('`ada@people.example`: there is no such mailbox (`5.1.1: 550 5.1.1 <');
    const marked = await contact();
    expect(marked).toMatchObject({
      mail_status: 'bounced',
      mail_bounce_reason: expect.stringMatching(/^5\.1\.1: 550 .*User unknown/),
    });
    const types = (await eventsOf(server, test.workspace, 'contact', marked.id)).map(({ type }) => type);
    expect(types).toEqual(['contact.created', 'contact.updated', 'contact.mail_bounced']);
    expect(await test.logs('&status=skipped')).toMatchObject([
      { error: { code: 'bounce', message: expect.stringContaining('ada@people.example') } },
    ]);
    const before = smtp.taken.length;
    expect(await failureOf(await automatic('ada@people.example'))).toBe('bounced');
    await drained(server, test.workspace);
    expect(smtp.taken.length).toBe(before);
    await comment('A person may try.');
    expect(smtp.taken.length).toBe(before + 1);
    (await test.workspace.api.patch(`/contacts/${marked.id}`, { mail_status: 'ok' })).expect(200);
    expect(await contact()).toMatchObject({ mail_status: 'ok', mail_bounced_at: null, mail_bounce_reason: null });
    expect(await failureOf(await automatic('ada@people.example'))).toBeNull();
  });

  it('counts once, and no longer than until the contact writes again or has another address', async () => {
    test.imap.deliverRaw(report(sent(), 'ada@people.example'));
    test.imap.deliverRaw(report(sent(), 'ada@people.example'));
    for (let n = 2; n < 7; n++)
      test.imap.deliverRaw(report(sent(), 'ada@people.example', { id: `dsn-${n}`, status: n < 5 ? '5.1.1' : '5.2.2' }));
    await test.look();
    expect((await test.comments(ticket.id)).filter(({ is_internal }) => is_internal)).toHaveLength(1);
    test.imap.deliver(ada({ 'Message-ID': '<again@people.example>' }), 'I am here.');
    await test.look();
    expect(await contact()).toMatchObject({ mail_status: 'ok' });
    const { id } = await contact();
    (await test.workspace.api.patch(`/contacts/${id}`, { mail_status: 'bounced' })).expect(200);
    expect(await failureOf(await automatic('ada@people.example'))).toBe('bounced');
    const moved = (await test.workspace.api.patch(`/contacts/${id}`, { email: 'ada@new.example' })).expect(200).data;
    expect(moved).toMatchObject({ mail_status: 'ok', mail_bounced_at: null });
  });

  it('is not believed of mail that never left from here, nor of people it did not go to', async () => {
    test.imap.deliverRaw(report('<made.up@acme.example>', 'ada@people.example', { id: 'forged-1' }));
    test.imap.deliverRaw(report(sent(), 'eve@people.example', { id: 'forged-2' }));
    await test.look();
    expect((await contact()).mail_status).toBe('ok');
    expect((await test.comments(ticket.id)).filter(({ is_internal }) => is_internal)).toEqual([]);
    expect((await test.logs('&status=skipped')).map(({ error }) => (error as Fields).code)).toEqual([
      'bounce',
      'bounce',
    ]);
  });

  it('for another reason than the address is told, and stops nothing; a delay is not even told', async () => {
    test.imap.deliverRaw(report(sent(), 'ada@people.example', { status: '4.4.1', action: 'delayed', id: 'late' }));
    await test.look();
    expect((await test.comments(ticket.id)).filter(({ is_internal }) => is_internal)).toEqual([]);
    test.imap.deliverRaw(report(sent(), 'ada@people.example', { status: '5.2.2', id: 'full' }));
    await test.look();
    const [note] = (await test.comments(ticket.id)).filter(({ is_internal }) => is_internal);
    expect(note?.body).toContain('not delivered (`5.2.2');
    expect((await contact()).mail_status).toBe('ok');
  });

  it('stays within a workspace', async () => {
    const first = sent();
    await test.begin();
    test.imap.deliverRaw(report(first, 'ada@people.example'));
    await test.look();
    const skipped = await test.logs('&status=skipped');
    expect(skipped.map(({ error }) => (error as Fields).message)).toEqual([
      'It reports that a mail could not be delivered.',
    ]);
  });

  it('machines write so often to one address, and not to who asks them not to', async () => {
    const ids: number[] = [];
    for (let n = 0; n <= MOST_PER_HOUR; n++) ids.push(await automatic('bob@people.example'));
    expect(await Promise.all(ids.slice(-2).map(failureOf))).toEqual([null, 'too_many']);
    test.imap.deliver(
      ada({ 'Message-ID': '<quiet@x>', From: 'carl@people.example', 'X-Auto-Response-Suppress': 'DR, AutoReply' }),
    );
    await test.look();
    const quiet = (await test.tickets()).at(-1);
    const database = server.app.get(Database);
    const id = await database.inWorkspace(test.workspace.id, { type: 'system', id: null, name: 'test' }, () =>
      database.transaction(() =>
        server.app.get(Mailer).queue({
          to: ['carl@people.example'],
          subject: 'x',
          text: 'y',
          about: { id: Number(quiet?.id), name: 'TCK-000001' },
        }),
      ),
    );
    expect(await failureOf(id)).toBe('unwanted');
  });
});

describe('a delivery status', () => {
  it('is read by its fields, folded or not, and only of who did not get it', () => {
    const text =
      'Reporting-MTA: dns; a\r\n\r\nfinal-recipient: RFC822;\r\n <Ada@People.example>\r\naction: FAILED (bad)\r\nstatus: 5.1.1 (x)\r\n\r\n' +
      'Final-Recipient: rfc822; bob@b.example\nAction: delivered\nStatus: 2.0.0\n\nFinal-Recipient: rfc822; carl@c.example\nAction: failed\n' +
      'Status: 5.0.0\nDiagnostic-Code: smtp; 550 No such user here\n\nAction: failed\n\nFinal-Recipient: rfc822; nobody\nAction: failed';
    expect(deliveryStatus(text)).toEqual([
      { address: 'ada@people.example', kind: 'hard', status: '5.1.1', diagnostic: '' },
      { address: 'carl@c.example', kind: 'hard', status: '5.0.0', diagnostic: '550 No such user here' },
    ]);
  });

  it('of any text is read in time, and yields nothing but addresses', async () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        for (const { address } of deliveryStatus(`Final-Recipient: rfc822; ${text}\nAction: failed`))
          expect(address).toContain('@');
      }),
    );
    expect(deliveryStatus('Final-Recipient: rfc822; a@b.c\nAction: failed\n\n'.repeat(5_000))).toHaveLength(50);
    const long = `Message-ID: <x@y>\r\nContent-Type: multipart/report; boundary=b\r\nReferences: ${'<a@b> '.repeat(50_000)}\r\n\r\n--b\r\n`;
    expect((await readBounce(Buffer.from(long))).recipients).toEqual([]);
  });
});
