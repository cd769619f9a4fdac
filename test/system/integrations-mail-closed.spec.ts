import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeUser } from '../support/cast';
import { ada, useMailbox } from '../support/mailbox';

const server = useApp();
const test = useMailbox(server);
const answer = (serial: number, more: Record<string, string> = {}): Record<string, string> =>
  ada({ Subject: 'Re: Printer', 'Message-ID': `<r${serial}@x>`, 'In-Reply-To': '<first@people.example>', ...more });
const QUOTE = 'On Tue, 3 Mar 2026 at 10:00, Acme Support <support@acme.example> wrote:\n> Have you tried water?\n';

it('what is written to a ticket that is closed for good goes on in a follow-up; what agents write stays there', async () => {
  const { api } = test.workspace;
  const agent = await makeUser(api);
  (await api.patch('/workspace', { settings: { reopen_window_days: 1 } })).expect(200);
  test.imap.deliver(ada());
  await test.look();
  const [{ id }] = (await test.tickets()) as [Fields];
  (await api.patch(`/tickets/${id}`, { status: 'closed', tags: 'printer' })).expect(200);
  test.imap.deliver(answer(1), 'Still within the window.');
  await test.look();
  expect(await test.tickets()).toMatchObject([{ id, status: 'open', comment_count: 1 }]);

  (await api.patch(`/tickets/${id}`, { status: 'closed' })).expect(200);
  await test.sql.rows(`UPDATE tickets SET closed_at = now() - interval '2 days' WHERE id = $1`, [id]);
  test.imap.deliver(answer(2), `Burning again.\n\n${QUOTE}`);
  test.imap.deliver(answer(3, { 'In-Reply-To': '<r2@x>' }), 'And now the desk.');
  test.imap.deliver(answer(4, { From: agent.email as string }), 'It was the fuser.');
  await test.look();
  const [closed, next, ...others] = await test.tickets();
  expect([closed, others]).toMatchObject([{ id, status: 'closed', comment_count: 2 }, []]);
  expect(next).toMatchObject({
    ...{ status: 'open', followup_of_id: id, subject: 'Re: Printer', description: 'Burning again.', channel: 'email' },
    ...{ requester_email: 'ada@people.example', tags: 'printer' },
  });
  expect((await test.comments(next?.id ?? 0)).map(({ body }) => body)).toEqual(['And now the desk.']);
  expect((await test.comments(id)).map(({ body }) => body)).toEqual(['Still within the window.', 'It was the fuser.']);
  const { rows } = await api.get(`/tickets/${id}/history?limit=100`);
  expect(JSON.stringify(rows)).toContain('ticket.followed_up');
});
