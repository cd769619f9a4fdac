import { type AddressInfo, createServer, type Socket } from 'node:net';
import { MailIntake } from '../../src/areas/integrations/mail-in/mail-intake';
import { IntegrationsService } from '../../src/areas/integrations/integrations.service';
import { Database } from '../../src/platform/database/database';
import { ApiError } from '../../src/platform/errors/api-error';
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

it('a message that two workers read at once becomes one ticket', async () => {
  const { app } = server;
  const database = app.get(Database);
  const source = Buffer.from(
    Object.entries(ada())
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('') + '\r\nIt burns.',
  );
  const take = (): Promise<void> =>
    database.inWorkspace(test.workspace.id, ACTOR, async () => {
      const installation = await app.get(IntegrationsService).open(test.mailbox.id);
      if (!installation) throw new Error('There is no installation.');
      await app.get(MailIntake).take(installation, { uid: 1, source, isCut: false });
    });
  await Promise.all([1, 2, 3, 4].map(() => untilTaken(take)));
  expect((await test.tickets()).length).toBe(1);
  const statuses = (await test.logs()).map(({ status }) => status).sort();
  expect(statuses).toEqual(['skipped', 'skipped', 'skipped', 'success']);
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
