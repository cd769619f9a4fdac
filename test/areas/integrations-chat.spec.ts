import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { discordProblems, slackProblems, teamsProblems } from '../support/chat-rules';
import { useSmtpServer } from '../support/mail-servers';
import { useReceiver } from '../support/receiver';
import { drained } from '../support/jobs';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const receiver = useReceiver();
const smtp = useSmtpServer();
let workspace: TestWorkspace;

beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

async function install(provider: string, config: Record<string, unknown>, events: string[]): Promise<Fields> {
  return (await workspace.api.post('/integrations', { provider, config, events })).expect(201).data;
}

async function read(id: number): Promise<Fields> {
  return (await workspace.api.get(`/integrations/${id}`)).expect(200).data;
}

async function logs(id: number): Promise<Fields[]> {
  return (await workspace.api.get(`/integrations/${id}/logs?sort=id`)).expect(200).rows;
}

describe.each([
  ['slack', '/services/T000/B000/secret', slackProblems, 200],
  ['ms_teams', '/workflows/secret/triggers/manual', teamsProblems, 202],
  ['discord', '/api/webhooks/1/secret', discordProblems, 204],
] as const)('%s', (provider, path, problems, status) => {
  it('posts what the platform takes, and its address stays secret', async () => {
    receiver.answer(status);
    const { id } = await install(provider, { webhook_url: receiver.at(path) }, [
      'ticket.created',
      'ticket.comment_added',
    ]);
    const ticket = await makeTicket(workspace.api, {
      subject: 'Printer <b>jammed</b> @everyone <!channel>',
      description: '**Help** [me](https://evil.example)',
    });
    (await workspace.api.post(`/tickets/${ticket.id}/comments`, { body: 'We are on it.' })).expect(201);
    await drained(server, workspace);
    const messages = receiver.received(path).map(({ body }) => JSON.parse(body) as unknown);
    expect(messages.map(problems)).toEqual([[], []]);
    // Both may be on their way at once, so either may arrive first.
    const texts = messages.map((message) => JSON.stringify(message));
    expect(texts.every((text) => text.includes(ticket.code as string))).toBe(true);
    expect(texts.filter((text) => text.includes('We are on it'))).toHaveLength(1);
    const [log] = await logs(id);
    expect(log).toMatchObject({
      status: 'success',
      response_status: status,
      url: `${new URL(receiver.url).origin}/********`,
    });
    for (const shown of [await read(id), await logs(id)]) expect(JSON.stringify(shown)).not.toContain('secret/');
    expect((await read(id)).config).toEqual({ webhook_url: '********', webhook_url_set: true });
  });

  it('can be tried', async () => {
    receiver.answer(status);
    const { id } = await install(provider, { webhook_url: receiver.at(path) }, []);
    const answer = (await workspace.api.post(`/integrations/${id}/test`)).expect(200).data;
    expect(answer).toMatchObject({ status: 'success', response_status: status, error: null });
    expect(receiver.received(path).flatMap(({ body }) => problems(JSON.parse(body)))).toEqual([]);
    receiver.answer(404);
    const second = (await workspace.api.post(`/integrations/${id}/test`)).expect(200).data;
    expect(second).toMatchObject({ status: 'failed', response_status: 404, error: { code: 'http_404' } });
    expect(await read(id)).toMatchObject({ status: 'active', error_count: 0 });
    expect((await logs(id)).map(({ event, status: went }) => [event, went])).toEqual([
      ['integration.test', 'success'],
      ['integration.test', 'failed'],
    ]);
  });
});

describe('events by mail', () => {
  it('go to the recipients, marked as automatic, and thread by ticket', async () => {
    const config = smtp.config({ recipients: ['team@acme.example', 'boss@acme.example'] });
    const { id } = await install('smtp', config, ['ticket.created', 'ticket.priority_changed']);
    const ticket = await makeTicket(workspace.api, { subject: 'Jam <b>now</b>', description: 'Paper\njam' });
    await drained(server, workspace);
    (await workspace.api.patch(`/tickets/${ticket.id}`, { priority: 'urgent' })).expect(200);
    await drained(server, workspace);
    const code = ticket.code as string;
    expect(smtp.taken.map(({ to }) => to)).toEqual(Array(2).fill(['team@acme.example', 'boss@acme.example']));
    const [first, second] = smtp.taken;
    expect(first?.mail.subject).toBe(`[${code}] Jam <b>now</b>: A ticket was created.`);
    expect(first?.mail.text).toContain('Paper\njam');
    expect(first?.mail.html).toContain('Jam &lt;b&gt;now&lt;/b&gt;');
    expect(first?.mail.headers.get('auto-submitted')).toBe('auto-generated');
    expect(first?.mail.headers.get('x-auto-response-suppress')).toBe('All');
    expect(first?.mail.from?.text).toBe('"Acme Support" <helpdesk@acme.example>');
    expect(second?.mail.text).toContain('medium → urgent');
    expect(first?.mail.messageId).toMatch(new RegExp(`^<${code.toLowerCase()}\\.[0-9a-f]{32}@acme\\.example>$`));
    expect(second?.mail.references).toEqual(first?.mail.references);
    expect((await logs(id))[0]).toMatchObject({ status: 'success', http_method: 'SMTP', response_status: 250 });
  });

  it('need recipients', async () => {
    const answer = await workspace.api.post('/integrations', {
      provider: 'smtp',
      config: smtp.config(),
      events: ['ticket.created'],
    });
    expect([answer.status, answer.codes]).toEqual([422, { 'config.recipients': 'required' }]);
  });
});
