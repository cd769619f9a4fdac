import { useApp } from '../support/app';
import { make, makeUser } from '../support/cast';
import { ada, useMailbox } from '../support/mailbox';

const server = useApp();
const test = useMailbox(server);

it('copies those in whom a message was written to besides, but for blocked contacts; agents among them follow', async () => {
  const { api } = test.workspace;
  const agent = await makeUser(api, { email: 'agent@acme.example' });
  await make(api, '/contacts', { email: 'spam@people.example', status: 'blocked' });
  const to = 'support@acme.example, eve@people.example, spam@people.example, ada@people.example';
  test.imap.deliver(ada({ To: to, Cc: 'bob@people.example, Agent@acme.example' }));
  await test.look();
  const [ticket] = await test.tickets();
  expect(ticket?.cc_emails).toEqual(['eve@people.example', 'bob@people.example']);
  const followers = (await api.get(`/tickets/${ticket?.id}/followers`)).rows;
  expect(followers).toMatchObject([{ user_id: agent.id, reason: 'copy' }]);
  const answer = { To: 'support@acme.example', Cc: 'kim@people.example, bob@people.example', 'Message-ID': '<2@x>' };
  test.imap.deliver(ada({ ...answer, 'In-Reply-To': '<first@people.example>' }), 'More');
  await test.look();
  const [after] = await test.tickets();
  expect(after).toMatchObject({
    cc_emails: ['eve@people.example', 'bob@people.example', 'kim@people.example'],
    comment_count: 1,
  });
});
