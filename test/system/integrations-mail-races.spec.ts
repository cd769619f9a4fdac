import { type AddressInfo, createServer, type Socket } from 'node:net';
import { MailIntake } from '../../src/areas/integrations/mail-in/mail-intake';
import { IntegrationsService } from '../../src/areas/integrations/integrations.service';
import { Database } from '../../src/platform/database/database';
import { ApiError } from '../../src/platform/errors/api-error';
import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { ada, useMailbox } from '../support/mailbox';
import { REFUSED_SUBJECT } from '../support/refused-subject';
import { until } from '../support/until';
import { runJob } from '../support/jobs';

const server = useApp();
const test = useMailbox(server);
/** A worker on a busy machine may wait for the others' lock in vain: nothing was done, and it takes the message again. */
async function untilTaken(take: () => Promise<void>): Promise<void> {
  await until('the message is taken', () =>
    take().then(
      () => true,
      (error: unknown) => {
        if (error instanceof ApiError && error.type === 'service_unavailable') return false;
        throw error;
      },
    ),
  );
}

const ACTOR = { type: 'system', id: null, name: 'test' } as const;

/** Takes a message as a worker does that has fetched it. */
function takes(uid: number, headers: Record<string, string>): Promise<void> {
  const { app } = server;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const source = Buffer.from(`${lines.join('')}\r\nIt burns.`);
  return untilTaken(() =>
    app.get(Database).inWorkspace(test.workspace.id, ACTOR, async () => {
      const installation = await app.get(IntegrationsService).open(test.mailbox.id);
      if (!installation) throw new Error('There is no installation.');
      await app.get(MailIntake).take(installation, { uid, source, isCut: false });
    }),
  );
}

it('a message that two workers read at once becomes one ticket', async () => {
  await Promise.all([1, 2, 3, 4].map(() => takes(1, ada())));
  expect((await test.tickets()).length).toBe(1);
  const statuses = (await test.logs()).map(({ status }) => status).sort();
  expect(statuses).toEqual(['skipped', 'skipped', 'skipped', 'success']);
});

it('messages that answer a ticket closed for good at once go on in one follow-up', async () => {
  const { api } = test.workspace;
  (await api.patch('/workspace', { settings: { reopen_window_days: 1 } })).expect(200);
  await takes(1, ada());
  const [{ id }] = (await test.tickets()) as [Fields];
  const over = (id: unknown): Promise<unknown> =>
    test.sql.rows(`UPDATE tickets SET closed_at = now() - interval '2 days' WHERE id = $1`, [id]);
  (await api.patch(`/tickets/${id}`, { status: 'closed' })).expect(200);
  await over(id);
  const answer = (serial: number): Promise<void> =>
    takes(serial, ada({ 'Message-ID': `<r${serial}@x>`, 'In-Reply-To': '<first@people.example>' }));
  await Promise.all([2, 3, 4].map(answer));
  const [closed, next, ...others] = (await test.tickets()) as [Fields, Fields];
  expect([closed, next, others]).toMatchObject([
    { id, status: 'closed', comment_count: 0 },
    { followup_of_id: id, status: 'open', comment_count: 2 },
    [],
  ]);
  // The follow-up is closed for good, too: that one has its own.
  (await api.patch(`/tickets/${next.id}`, { status: 'closed' })).expect(200);
  await over(next.id);
  await Promise.all([5, 6].map(answer));
  expect((await test.tickets()).slice(2)).toMatchObject([{ followup_of_id: next.id, comment_count: 1 }]);
});

it('a message that cannot become a ticket is logged and stops no other', async () => {
  test.imap.deliver(ada({ Subject: REFUSED_SUBJECT, 'Message-ID': '<1@x>' }));
  test.imap.deliver(ada({ Subject: 'Taken', 'Message-ID': '<2@x>' }));
  await test.look();
  expect((await test.tickets()).map(({ subject }) => subject)).toEqual(['Taken']);
  expect((await test.logs()).map(({ status }) => status)).toEqual(['failed', 'success']);
  await test.look();
  expect(await test.logs()).toMatchObject([{ status: 'failed' }, { status: 'success', error: null }]);
});

it('a server that hangs holds up no other mailbox', async () => {
  const sockets = new Set<Socket>();
  const hanging = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    // Alive, and never of any use: whoever waits for it waits longer than for silence, however slow the machine is.
    const timer = setInterval(() => socket.write('* OK One moment\r\n'), 1_000);
    socket.on('close', () => clearInterval(timer));
    socket.write('* OK Here\r\n');
  });
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = hanging.address() as AddressInfo;
    for (const address of ['one@acme.example', 'two@acme.example']) await test.install({ port, address });
    test.imap.deliver(ada());
    await runJob(server, 'plan-mail-polls');
    await until('both hanging servers are being waited for', () => sockets.size === 2);
    await until('the message has become a ticket', async () => (await test.tickets()).length === 1);
    expect([...sockets].every((socket) => !socket.destroyed)).toBe(true);
  } finally {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => hanging.close(resolve));
  }
});
