import { createHmac } from 'node:crypto';
import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { hex, type Posted, type Provider, PROVIDERS, SECRET } from '../support/channel-providers';
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

const post = (url: string, { body, headers }: Posted): Promise<Response> =>
  fetch(url, { method: 'POST', body, headers });

async function made({ type, config }: Provider): Promise<{ channel: Fields; url: string }> {
  const body = { type, name: type, config: { ...config, api_url: receiver.url } };
  const channel = (await workspace.api.post('/teams/channels', body)).expect(201).data;
  for (const secret of Object.values(config).filter((each) => each.includes('secret') || each.includes('token')))
    expect(JSON.stringify(channel)).not.toContain(secret);
  return { channel, url: await inboundAddress(workspace.api, channel) };
}

describe.each(Object.entries(PROVIDERS))('%s', (_name, provider) => {
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
    const slack = await made(PROVIDERS.slack as Provider);
    const asked = PROVIDERS.slack?.sign({ type: 'url_verification', challenge: 'c-4711' }, slack.url);
    expect(await (await post(slack.url, asked as Posted)).text()).toBe('c-4711');
    const whatsapp = await made(PROVIDERS.whatsapp as Provider);
    const question = (token: string): Promise<Response> =>
      fetch(`${whatsapp.url}?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=4711`);
    expect(await (await question('verify-me')).text()).toBe('4711');
    expect((await question('guess')).status).toBe(401);
    const twilio = await made(PROVIDERS.twilio as Provider);
    const content = (PROVIDERS.twilio as Provider).message('Help', 1);
    const answer = await post(twilio.url, (PROVIDERS.twilio as Provider).sign(content, twilio.url));
    expect([await answer.text(), answer.headers.get('content-type')]).toEqual([
      '<Response/>',
      'text/xml; charset=utf-8',
    ]);
  });

  it('is an old request of Slack: refused', async () => {
    const { url } = await made(PROVIDERS.slack as Provider);
    const content = JSON.stringify((PROVIDERS.slack as Provider).message('Help', 1));
    const at = String(Math.floor(Date.now() / 1_000) - 600);
    const headers = {
      'x-slack-request-timestamp': at,
      'x-slack-signature': `v0=${hex(SECRET, `v0:${at}:${content}`)}`,
    };
    expect((await post(url, { body: content, headers })).status).toBe(401);
  });

  it('is a refusal with 200: the message failed', async () => {
    receiver.answer({ status: 200, body: JSON.stringify({ ok: false, error: 'channel_not_found' }) });
    const { channel } = await made(PROVIDERS.slack as Provider);
    const body = { channel_id: channel.id, to: { address: 'C404' }, body: 'Anybody?' };
    const { id } = (await workspace.api.post('/teams/messages', body)).expect(201).data;
    await drained(server, workspace);
    const failed = (await workspace.api.get(`/teams/messages/${id}`)).data;
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'slack_channel_not_found' } });
  });
});

describe('what is shared in place of words', () => {
  const [latitude, longitude] = [52.520008, 13.404954];
  const location = { latitude, longitude };
  const shared = async (provider: Provider, told: readonly object[]): Promise<object[]> => {
    const { url } = await made(provider);
    for (const each of told) expect((await post(url, provider.sign(each, url))).status).toBe(200);
    return (await workspace.api.get('/teams/messages?sort=created_at')).rows;
  };

  it('can be read, and is told to programs: places and cards of Telegram, also when they move', async () => {
    const provider = PROVIDERS.telegram as Provider;
    const telling = (serial: number, more: object): object => {
      const told = provider.message('', serial) as { message: object };
      return { ...told, message: { ...told.message, text: undefined, ...more } };
    };
    const venue = { location, title: 'Town hall', address: '1 Main Street' };
    const { message: moved } = telling(1, { location: { latitude: 1.5, longitude: -2 } }) as { message: object };
    const told = [
      telling(1, { location }),
      telling(2, { location, venue }),
      telling(3, { contact: { phone_number: '+12025550199', first_name: 'Grace' }, forward_origin: { type: 'user' } }),
      telling(4, { location: { latitude: 91, longitude: 'x' } }),
      telling(5, { venue: { title: '\0' + 'x\u0301'.repeat(70_000) } }),
      telling(6, { photo: [{}] }),
      { update_id: 7, edited_message: moved },
    ];
    expect(await shared(provider, told)).toMatchObject([
      { body: '(location) 1.5, -2', message_type: 'location' },
      {
        ...{ body: `(location) Town hall, 1 Main Street, ${latitude}, ${longitude}`, message_type: 'location' },
        metadata: { latitude, longitude, name: 'Town hall', address: '1 Main Street' },
      },
      {
        body: '(contact) Grace, +12025550199',
        metadata: { contact_name: 'Grace', contact_phone: '+12025550199', forwarded: true },
      },
      { body: '(location)', metadata: {} },
      { body: expect.stringMatching(/^\(location\) x/) as string, message_type: 'location' },
      { body: '(image)', message_type: 'image' },
      // What has moved is an edit: its text follows.
    ]);
  });

  it('is the same of WhatsApp', async () => {
    const provider = PROVIDERS.whatsapp as Provider;
    const telling = (serial: number, more: object): object => {
      const told = JSON.stringify(provider.message('x', serial));
      return JSON.parse(
        told.replace(/"type":"text","text":\{"body":"x"\}/, JSON.stringify(more).slice(1, -1)),
      ) as object;
    };
    const contacts = [{ name: { formatted_name: 'Grace Hopper' }, phones: [{ phone: '+1 202 555 0199' }] }];
    const told = [
      telling(1, { type: 'location', location: { ...location, name: 'Town hall' } }),
      telling(2, { type: 'contacts', contacts }),
    ];
    expect(await shared(provider, told)).toMatchObject([
      { body: `(location) Town hall, ${latitude}, ${longitude}`, metadata: { latitude, longitude, name: 'Town hall' } },
      { body: '(contact) Grace Hopper, +1 202 555 0199', metadata: { contact_name: 'Grace Hopper' } },
    ]);
  });
});

describe('Microsoft Teams', () => {
  const token = Buffer.from('a-security-token-of-teams').toString('base64');
  // https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/add-outgoing-webhook
  const activity = {
    type: 'message',
    id: '1700000000000',
    timestamp: '2023-11-14T22:13:20.000Z',
    channelId: 'msteams',
    from: { id: '29:1', name: 'Ada', aadObjectId: 'a-1' },
    conversation: { id: '19:c@thread.tacv2;messageid=1700000000000' },
    text: '<p><at>Desk</at>&nbsp;The printer <b>is</b> jammed</p>',
  };
  const signed = (key: string): Posted => {
    const body = JSON.stringify(activity);
    const mac = createHmac('sha256', Buffer.from(key, 'base64')).update(body).digest('base64');
    return { body, headers: { 'content-type': 'application/json', authorization: `HMAC ${mac}` } };
  };

  it('takes what its webhook signs, and posts cards by a workflow', async () => {
    const config = { security_token: token, webhook_url: receiver.at('/workflows/secret') };
    const channel = (await workspace.api.post('/teams/channels', { type: 'ms_teams', name: 'Teams', config })).expect(
      201,
    ).data;
    const url = await inboundAddress(workspace.api, channel);
    expect((await post(url, signed(Buffer.from('another token of teams').toString('base64')))).status).toBe(401);
    const answer = await post(url, signed(token));
    expect([answer.status, await answer.json()]).toEqual([200, { type: 'message', text: '✓' }]);
    const [message] = (await workspace.api.get('/teams/messages')).rows;
    expect(message).toMatchObject({ body: 'The printer is jammed', author_name: 'Ada' });
    const reply = { thread_id: message?.thread_id, body: 'We come' };
    (await workspace.api.post(`/teams/channels/${channel.id}/messages`, reply)).expect(201);
    await drained(server, workspace);
    expect(receiver.received('/workflows/secret').map(({ body }) => body.includes('We come'))).toEqual([true]);
  });
});
