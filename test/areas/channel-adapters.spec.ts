import { createHmac } from 'node:crypto';
import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { inboundAddress } from '../support/channels';
import { drained } from '../support/jobs';
import { useReceiver } from '../support/receiver';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const receiver = useReceiver();
let workspace: TestWorkspace;

beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

const SECRET = 'provider-secret-of-24-characters';
const MOMENT = 1_700_000_000;

/** What a provider posts, and how it signs it. */
interface Posted {
  body: string;
  headers: Record<string, string>;
}

interface Provider {
  type: string;
  config: Record<string, string>;
  /** A message of Ada's, and one that belongs to the same conversation. */
  message: (text: string, serial: number) => object;
  sign: (content: object, url: string, secret?: string) => Posted;
  name: string;
  /** What it answers to a message. */
  answer: string;
  /** What it was sent. */
  sent: { path: string; holds: object | string; authorization?: string };
  /** The first message that was answered, read. */
  status?: object;
}

const hex = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('hex');
const json = (content: object, headers: Record<string, string>): Posted => ({
  body: JSON.stringify(content),
  headers: { 'content-type': 'application/json', ...headers },
});

const providers: Record<string, Provider> = {
  slack: {
    type: 'slack',
    config: { signing_secret: SECRET, bot_token: 'xoxb-test-token' },
    name: 'U1',
    // https://docs.slack.dev/reference/events/message.channels
    message: (text, serial) => ({
      type: 'event_callback',
      team_id: 'T1',
      event_id: `Ev${serial}`,
      event: {
        type: 'message',
        channel: 'C1',
        user: 'U1',
        text,
        ts: `${MOMENT}.00010${serial}`,
        ...(serial > 1 ? { thread_ts: `${MOMENT}.000101` } : {}),
        channel_type: 'channel',
      },
    }),
    sign: (content, _url, secret = SECRET) => {
      const at = String(Math.floor(Date.now() / 1_000));
      const signature = `v0=${hex(secret, `v0:${at}:${JSON.stringify(content)}`)}`;
      return json(content, { 'x-slack-request-timestamp': at, 'x-slack-signature': signature });
    },
    answer: JSON.stringify({ ok: true, channel: 'C1', ts: `${MOMENT}.000900` }),
    sent: {
      path: '/hook/chat.postMessage',
      holds: { channel: 'C1', text: 'An answer', thread_ts: `${MOMENT}.000101` },
      authorization: 'Bearer xoxb-test-token',
    },
  },
  telegram: {
    type: 'telegram',
    config: { secret_token: SECRET, bot_token: '123:abc-def' },
    name: 'Ada Lovelace',
    // https://core.telegram.org/bots/api#update
    message: (text, serial) => ({
      update_id: serial,
      message: {
        message_id: serial,
        date: MOMENT,
        chat: { id: 77, type: 'private' },
        from: { id: 77, is_bot: false, first_name: 'Ada', last_name: 'Lovelace' },
        text,
      },
    }),
    sign: (content, _url, secret = SECRET) => json(content, { 'x-telegram-bot-api-secret-token': secret }),
    answer: JSON.stringify({ ok: true, result: { message_id: 900, chat: { id: 77 } } }),
    sent: { path: '/hook/bot123:abc-def/sendMessage', holds: { chat_id: '77', text: 'An answer' } },
  },
  whatsapp: {
    type: 'whatsapp',
    config: { app_secret: SECRET, verify_token: 'verify-me', access_token: 'access-token', phone_number_id: '4711' },
    name: 'Ada',
    // https://developers.facebook.com/docs/whatsapp/cloud-api/webhooks/payload-examples
    message: (text, serial) => ({
      object: 'whatsapp_business_account',
      entry: [
        {
          id: '1',
          changes: [
            {
              field: 'messages',
              value: {
                messaging_product: 'whatsapp',
                metadata: { display_phone_number: '12025550100', phone_number_id: '4711' },
                contacts: [{ profile: { name: 'Ada' }, wa_id: '12025550142' }],
                messages: [
                  {
                    from: '12025550142',
                    id: `wamid.${serial}`,
                    timestamp: String(MOMENT),
                    type: 'text',
                    text: { body: text },
                  },
                ],
              },
            },
          ],
        },
      ],
    }),
    sign: (content, _url, secret = SECRET) =>
      json(content, { 'x-hub-signature-256': `sha256=${hex(secret, JSON.stringify(content))}` }),
    answer: JSON.stringify({ messaging_product: 'whatsapp', messages: [{ id: 'wamid.900' }] }),
    sent: {
      path: '/hook/4711/messages',
      holds: { messaging_product: 'whatsapp', to: '12025550142', type: 'text', text: { body: 'An answer' } },
      authorization: 'Bearer access-token',
    },
    status: {
      object: 'whatsapp_business_account',
      entry: [
        {
          changes: [
            {
              field: 'messages',
              value: {
                metadata: { phone_number_id: '4711' },
                statuses: [{ id: 'wamid.900', status: 'read', timestamp: String(MOMENT), recipient_id: '12025550142' }],
              },
            },
          ],
        },
      ],
    },
  },
  twilio: {
    type: 'sms',
    config: { account_sid: `AC${'0'.repeat(32)}`, auth_token: SECRET, from_number: '+12025550100' },
    name: '+12025550142',
    // https://www.twilio.com/docs/messaging/guides/webhook-request
    message: (text, serial) => ({
      MessageSid: `SM${serial}`,
      From: '+12025550142',
      To: '+12025550100',
      Body: text,
      NumMedia: '0',
    }),
    // https://www.twilio.com/docs/usage/security#validating-requests
    sign: (content, url, secret = SECRET) => {
      const form = Object.entries(content) as [string, string][];
      const text =
        url +
        form
          .toSorted(([one], [other]) => (one < other ? -1 : 1))
          .flat()
          .join('');
      const signature = createHmac('sha1', secret).update(text).digest('base64');
      const type = 'application/x-www-form-urlencoded';
      return {
        body: new URLSearchParams(form).toString(),
        headers: { 'content-type': type, 'x-twilio-signature': signature },
      };
    },
    answer: JSON.stringify({ sid: 'SM900', status: 'queued' }),
    sent: {
      path: `/hook/2010-04-01/Accounts/AC${'0'.repeat(32)}/Messages.json`,
      holds: 'To=%2B12025550142&From=%2B12025550100&Body=An+answer',
      authorization: `Basic ${Buffer.from(`AC${'0'.repeat(32)}:${SECRET}`).toString('base64')}`,
    },
    status: { MessageSid: 'SM900', MessageStatus: 'read' },
  },
};

const post = (url: string, { body, headers }: Posted): Promise<Response> =>
  fetch(url, { method: 'POST', body, headers });

async function made({ type, config }: Provider): Promise<{ channel: Fields; url: string }> {
  const body = { type, name: type, config: { ...config, api_url: receiver.url } };
  const channel = (await workspace.api.post('/teams/channels', body)).expect(201).data;
  for (const secret of Object.values(config).filter((each) => each.includes('secret') || each.includes('token')))
    expect(JSON.stringify(channel)).not.toContain(secret);
  return { channel, url: await inboundAddress(workspace.api, channel) };
}

describe.each(Object.entries(providers))('%s', (_name, provider) => {
  it('takes what is signed, once, as one conversation with one ticket; nothing else', async () => {
    const { url } = await made(provider);
    const first = provider.message('Help', 1);
    expect((await post(url, provider.sign(first, url, 'another-secret-of-24-characters'))).status).toBe(401);
    // Telegram signs no body: its secret is all there is.
    const tampered = { ...provider.sign(first, url), body: provider.sign(provider.message('Other', 1), url).body };
    if (provider.type !== 'telegram') expect((await post(url, tampered)).status).toBe(401);
    for (const told of [first, first, provider.message(`More${'\u0301'.repeat(130_000)}`, 2)])
      expect((await post(url, provider.sign(told, url))).status).toBe(200);
    const { rows } = await workspace.api.get('/teams/messages?sort=created_at');
    expect(rows.map(({ position, author_type }) => [position, author_type])).toEqual([
      [1, 'contact'],
      [2, 'contact'],
    ]);
    expect([rows[0]?.body, (rows[1]?.body as string).length]).toEqual(['Help', 'More'.length + 30]);
    const tickets = (await workspace.api.get('/tickets')).rows;
    expect(tickets).toMatchObject([{ subject: 'Help', channel: 'chat', comment_count: 1 }]);
  });

  it('sends answers as its provider takes them, and hears how far they came', async () => {
    receiver.answer({ status: 200, body: provider.answer });
    const { channel, url } = await made(provider);
    expect((await post(url, provider.sign(provider.message('Help', 1), url))).status).toBe(200);
    const [message] = (await workspace.api.get('/teams/messages')).rows;
    const reply = { thread_id: message?.thread_id, body: 'An answer' };
    const sent = (await workspace.api.post(`/teams/channels/${channel.id}/messages`, reply)).expect(201).data;
    await drained(server, workspace);
    const [request] = receiver.received(provider.sent.path);
    const { holds, authorization } = provider.sent;
    if (typeof holds === 'string') expect(request?.body).toBe(holds);
    else expect(JSON.parse(request?.body ?? '{}')).toMatchObject(holds);
    expect(request?.headers.authorization).toBe(authorization);
    const path = `/teams/messages/${sent.id}`;
    expect((await workspace.api.get(path)).data).toMatchObject({
      status: 'sent',
      external_message_id: expect.stringContaining('900') as string,
    });
    if (!provider.status) return;
    expect((await post(url, provider.sign(provider.status, url))).status).toBe(200);
    expect((await workspace.api.get(path)).data.status).toBe('read');
  });
});

describe('what providers ask and say besides', () => {
  it('is answered: challenges of Slack and Meta, an empty answer of TwiML', async () => {
    const slack = await made(providers.slack as Provider);
    const asked = providers.slack?.sign({ type: 'url_verification', challenge: 'c-4711' }, slack.url);
    expect(await (await post(slack.url, asked as Posted)).text()).toBe('c-4711');
    const whatsapp = await made(providers.whatsapp as Provider);
    const question = (token: string): Promise<Response> =>
      fetch(`${whatsapp.url}?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=4711`);
    expect(await (await question('verify-me')).text()).toBe('4711');
    expect((await question('guess')).status).toBe(401);
    const twilio = await made(providers.twilio as Provider);
    const content = (providers.twilio as Provider).message('Help', 1);
    const answer = await post(twilio.url, (providers.twilio as Provider).sign(content, twilio.url));
    expect([await answer.text(), answer.headers.get('content-type')]).toEqual([
      '<Response/>',
      'text/xml; charset=utf-8',
    ]);
  });

  it('is an old request of Slack: refused', async () => {
    const { url } = await made(providers.slack as Provider);
    const content = JSON.stringify((providers.slack as Provider).message('Help', 1));
    const at = String(Math.floor(Date.now() / 1_000) - 600);
    const headers = {
      'x-slack-request-timestamp': at,
      'x-slack-signature': `v0=${hex(SECRET, `v0:${at}:${content}`)}`,
    };
    expect((await post(url, { body: content, headers })).status).toBe(401);
  });

  it('is a refusal with 200: the message failed', async () => {
    receiver.answer({ status: 200, body: JSON.stringify({ ok: false, error: 'channel_not_found' }) });
    const { channel } = await made(providers.slack as Provider);
    const body = { channel_id: channel.id, to: { address: 'C404' }, body: 'Anybody?' };
    const { id } = (await workspace.api.post('/teams/messages', body)).expect(201).data;
    await drained(server, workspace);
    const failed = (await workspace.api.get(`/teams/messages/${id}`)).data;
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'slack_channel_not_found' } });
  });
});
