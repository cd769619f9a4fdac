import { useApp } from '../support/app';
import { ada, useMailbox } from '../support/mailbox';

const server = useApp();
const test = useMailbox(server);

describe('what nobody wrote', () => {
  const refused: [string, Record<string, string>, string][] = [
    ['an automatic answer', { 'Auto-Submitted': 'auto-replied' }, 'auto_reply'],
    ['a machine’s report', { 'Auto-Submitted': 'auto-generated; type=x' }, 'auto_reply'],
    ['an answering machine', { 'X-Autoreply': 'yes' }, 'auto_reply'],
    ['a circular', { Precedence: 'bulk' }, 'bulk'],
    ['a mailing list', { Precedence: 'list' }, 'bulk'],
    ['a notice of absence', { Subject: 'Out of Office: back on Monday' }, 'auto_reply'],
    ['one in German', { Subject: 'Abwesenheitsnotiz: Urlaub' }, 'auto_reply'],
    ['a bounce', { 'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b' }, 'bounce'],
    ['an empty return path', { 'Return-Path': '<>' }, 'bounce'],
    ['the mail system', { From: 'MAILER-DAEMON@mx.example' }, 'bounce'],
    ['our own address', { From: 'Support <Support@acme.example>' }, 'own_mail'],
    ['nobody', { From: 'not an address' }, 'no_sender'],
  ];

  it.each(refused)('%s is logged and skipped', async (_name, headers, code) => {
    test.imap.deliver(ada(headers));
    await test.look();
    expect(await test.tickets()).toEqual([]);
    expect(await test.logs()).toEqual([
      expect.objectContaining({ status: 'skipped', error: expect.objectContaining({ code }) }),
    ]);
  });

  it('mail of a blocked contact is logged and skipped, as a ticket and as a comment, until it is let in again', async () => {
    const { api } = test.workspace;
    test.imap.deliver(ada());
    await test.look();
    const [ticket] = await test.tickets();
    const [contact] = (await api.get('/contacts?email=ada@people.example')).expect(200).rows;
    (await api.patch(`/contacts/${contact?.id ?? 0}`, { status: 'blocked' })).expect(200);
    test.imap.deliver(ada({ 'Message-ID': '<second@x>', Subject: 'And another thing' }));
    test.imap.deliver(
      ada({ 'Message-ID': '<third@x>', From: 'ADA@People.example', 'In-Reply-To': '<first@people.example>' }),
    );
    await test.look();
    expect((await test.tickets()).map(({ id }) => id)).toEqual([ticket?.id]);
    expect((await api.get(`/tickets/${ticket?.id ?? 0}/comments`)).expect(200).rows).toEqual([]);
    const skipped = await test.logs('&status=skipped');
    expect(skipped.map(({ delivery_id }) => delivery_id).sort()).toEqual(['<second@x>', '<third@x>']);
    for (const { error } of skipped)
      expect(error).toEqual({ code: 'blocked', message: 'Its sender is a blocked contact.' });
    (await api.patch(`/contacts/${contact?.id ?? 0}`, { status: 'active' })).expect(200);
    test.imap.deliver(ada({ 'Message-ID': '<fourth@x>', Subject: 'Sorry' }));
    await test.look();
    expect((await test.tickets()).map(({ subject }) => subject).sort()).toEqual(['Printer on fire', 'Sorry']);
  });

  it.each([
    ['Auto-Submitted: no', { 'Auto-Submitted': 'no' }],
    ['a list header alone', { 'List-Id': '<dev.people.example>' }],
    ['a subject about an office', { Subject: 'Outofoffice hours printer broken' }],
  ])('but %s is let in', async (_name, headers) => {
    test.imap.deliver(ada(headers));
    await test.look();
    expect((await test.tickets()).length).toBe(1);
  });

  it('too many messages of one sender within an hour are skipped, those of others are not', async () => {
    (
      await test.workspace.api.patch(`/integrations/${test.mailbox.id}`, { config: { max_per_sender_per_hour: 3 } })
    ).expect(200);
    for (let n = 0; n < 5; n++) test.imap.deliver(ada({ 'Message-ID': `<loop-${n}@x>` }));
    test.imap.deliver(ada({ From: 'bob@people.example', 'Message-ID': '<bob@x>' }));
    await test.look();
    expect((await test.tickets()).map(({ requester_email }) => requester_email)).toEqual([
      'ada@people.example',
      'ada@people.example',
      'ada@people.example',
      'bob@people.example',
    ]);
    expect((await test.logs('&status=skipped')).map(({ error }) => (error as { code: string }).code)).toEqual([
      'too_many',
      'too_many',
    ]);
  });
});

describe('a mailbox that cannot be read', () => {
  it('is tried five times more, later and later, and then rests with an event', async () => {
    // After a look that went well nobody looks again by itself for a minute.
    await test.look();
    (
      await test.workspace.api.patch(`/integrations/${test.mailbox.id}`, { config: { password: 'wrong-password' } })
    ).expect(200);
    for (let failures = 1; failures <= 6; failures++) {
      await test.look();
      const shown = (await test.workspace.api.get(`/integrations/${test.mailbox.id}`)).expect(200).data;
      expect(shown).toMatchObject({
        status: failures === 6 ? 'error' : 'active',
        error_count: failures,
        last_error: { code: 'auth' },
      });
    }
    expect((await test.logs()).map(({ status }) => status)).toEqual([...Array<string>(5).fill('retrying'), 'failed']);
    const events = await test.sql.rows<{ type: string }>(
      `SELECT type FROM events WHERE workspace_id = $1 AND object = 'integration' ORDER BY id`,
      [test.workspace.id],
    );
    expect(events.map(({ type }) => type).slice(-2)).toEqual(['integration.updated', 'integration.error']);
    await test.look();
    expect((await test.logs()).length).toBe(6);
    test.imap.deliver(ada());
    const config = { password: test.imap.config().password };
    (await test.workspace.api.patch(`/integrations/${test.mailbox.id}`, { status: 'active', config })).expect(200);
    await test.look();
    expect((await test.tickets()).length).toBe(1);
  });

  it('that is not public reads like one that is not there', async () => {
    const messages: unknown[] = [];
    for (const host of ['10.0.0.1', '169.254.169.254', 'localhost.localdomain.invalid', '10.1']) {
      const { id } = await test.install({ host });
      const answer = (await test.workspace.api.post(`/integrations/${id}/test`)).expect(200).data;
      messages.push(answer.error);
    }
    const unreachable = { code: 'unreachable', message: 'The mail server could not be reached.' };
    expect(messages).toEqual(Array(4).fill(unreachable));
  });

  it('says so when it is tried', async () => {
    const answer = (await test.workspace.api.post(`/integrations/${test.mailbox.id}/test`)).expect(200).data;
    expect(answer).toMatchObject({ status: 'success', error: null });
    expect((await test.logs())[0]).toMatchObject({
      event: 'integration.test',
      direction: 'inbound',
      status: 'success',
    });
  });
});
