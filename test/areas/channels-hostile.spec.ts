import { createHmac } from 'node:crypto';
import { Inbound } from '../../src/areas/channels/inbound/inbound.service';
import { ApiError } from '../../src/platform/errors/api-error';
import { PageLimits } from '../../src/platform/limits/page-limits';
import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { type Posted, type Provider, PROVIDERS } from '../support/channel-providers';
import { ADA, apiChannel, commentsOf, handedIn, inboundAddress } from '../support/channels';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await makeWorkspace(server);
});

const { slack, telegram, whatsapp, facebook } = PROVIDERS;
const TOKEN = Buffer.from('a-security-token-of-teams').toString('base64');
const teams: Pick<Provider, 'type' | 'config' | 'sign'> = {
  type: 'ms_teams',
  config: { security_token: TOKEN },
  sign: (content) => {
    const body = JSON.stringify(content);
    const mac = createHmac('sha256', Buffer.from(TOKEN, 'base64')).update(body).digest('base64');
    return { body, headers: { 'content-type': 'application/json', authorization: `HMAC ${mac}` } };
  },
};

/** Long, and not to be made shorter by packing it. */
const LONG = Array.from({ length: 400 }, (_, n) => createHmac('sha256', 'x').update(String(n)).digest('hex')).join('');

/** A channel, and what posts to it. */
async function telling(
  { type, config, sign }: Pick<Provider, 'type' | 'config' | 'sign'>,
  own: TestWorkspace = workspace,
): Promise<(content: object) => Promise<number>> {
  const channel = (await own.api.post('/teams/channels', { type, name: type, config })).expect(201).data;
  const url = await inboundAddress(own.api, channel);
  return async (content) => {
    const { body, headers }: Posted = sign(content, url);
    return (await fetch(url, { method: 'POST', body, headers })).status;
  };
}

describe('what a network signs', () => {
  const NAMES = ['\0', 'a\0b', '\ud800', LONG, 'constructor', '__proto__', 'toString'];

  it('of Slack: ids of any text, and kinds that nobody knows', async () => {
    const tell = await telling(slack as Provider);
    const message = { type: 'message', channel: 'C1', user: 'U1', text: 'x', ts: '1700000000.000100' };
    for (const name of NAMES) {
      for (const member of ['channel', 'user', 'text', 'ts', 'thread_ts', 'subtype', 'channel_type'])
        expect([member, await tell({ type: 'event_callback', event: { ...message, [member]: name } })]).toEqual([
          member,
          200,
        ]);
      const item = { channel: name, ts: name };
      for (const event of [
        { type: 'reaction_added', user: name, reaction: name, item },
        { ...message, subtype: 'message_changed', channel: name, message: { ts: name, text: name } },
        { ...message, subtype: 'message_deleted', channel: name, deleted_ts: name },
      ])
        expect(await tell({ type: 'event_callback', event })).toBe(200);
    }
    // https://docs.slack.dev/reference/events/app_rate_limited: told beside the events.
    expect(await tell({ type: 'app_rate_limited', team_id: 'T1', minute_rate_limited: 1_518_467_820 })).toBe(200);
  });

  it('of Telegram: ids of any text', async () => {
    const tell = await telling(telegram as Provider);
    for (const [serial, name] of NAMES.entries()) {
      const [chat, from] = [{ id: 77 }, { id: 77, first_name: 'Ada' }];
      const message = { message_id: serial, date: 1_700_000_000, chat, from, text: 'x' };
      for (const update of [
        { message: { ...message, chat: { id: name } } },
        { message: { ...message, message_id: name } },
        { message: { ...message, message_id: 100 + serial, from: { id: name, first_name: name } } },
        {
          message: { ...message, message_id: 200 + serial, reply_to_message: { message_id: name, chat: { id: name } } },
        },
        { edited_message: { ...message, chat: { id: name } } },
        { message_reaction: { chat: { id: name }, message_id: name, user: from, new_reaction: [{ emoji: name }] } },
      ])
        expect([update, await tell({ update_id: 1, ...update })]).toEqual([update, 200]);
    }
  });

  it('of Meta: types that no table has, and what stands beside them', async () => {
    const own = await makeWorkspace(server);
    const [first, second] = [await telling(whatsapp as Provider, own), await telling(facebook as Provider, own)];
    for (const [serial, type] of NAMES.entries()) {
      const content = structuredClone((whatsapp as Provider).message('After it', 100 + serial)) as {
        entry: { changes: { value: { messages: object[] } }[] }[];
      };
      const odd = { from: '12025550142', id: `odd.${serial}`, timestamp: '1', type };
      content.entry[0]?.changes[0]?.value.messages.unshift(odd);
      expect([type, await first(content)]).toEqual([type, 200]);
      const event = (mid: string, message: object): object => ({
        ...{ sender: { id: '77' }, timestamp: 1.7e12, message: { mid, ...message } },
      });
      const messaging = [event(`o${serial}`, { attachments: [{ type }] }), event(`m${serial}`, { text: 'After it' })];
      expect([type, await second({ object: 'page', entry: [{ messaging }] })]).toEqual([type, 200]);
    }
    const { rows } = await own.api.get('/teams/messages?per_page=100');
    expect(rows.filter(({ body }) => body === 'After it')).toHaveLength(2 * NAMES.length);
  });

  it('of Microsoft Teams: moments beyond the calendar', async () => {
    const tell = await telling(teams);
    for (const [serial, timestamp] of [
      '+275760-09-13T00:00:00Z',
      '-000001-01-01T00:00:00Z',
      '0000-01-01T00:00:00Z',
      'never',
    ].entries()) {
      const ids = { id: `t${serial}`, conversation: { id: '19:c' }, from: { id: '29:1' } };
      expect([timestamp, await tell({ type: 'message', ...ids, timestamp, text: 'x' })]).toEqual([timestamp, 200]);
    }
    const { rows } = await workspace.api.get('/teams/messages?sort=-created_at&per_page=4');
    expect(rows.map(({ sent_at }) => sent_at)).toEqual([null, null, null, null]);
  });
});

describe('who is blocked', () => {
  it('changes nothing that they said, and reacts to nothing; what they said they may take back', async () => {
    const own = await makeWorkspace(server);
    const channel = await apiChannel(own.api, null);
    const say = (told: Record<string, unknown>): Promise<Record<string, Fields>> => handedIn(own.api, channel, told);
    const { message, ticket } = await say({ external_message_id: 'm1', from: ADA, body: 'First' });
    await say({ external_message_id: 'm2', from: ADA, body: 'Second' });
    await say({ external_message_id: 'k1', from: { handle: 'kim' }, body: 'Of somebody else' });
    (await own.api.patch(`/contacts/${message?.contact_id as number}`, { status: 'blocked' })).expect(200);
    const edit = { type: 'edit', external_message_id: 'm2', body: 'Buy now!' };
    expect(await say(edit)).toMatchObject({ message: null, ignored: 'blocked' });
    for (const name of ['m2', 'k1']) {
      const reaction = { type: 'reaction', external_message_id: name, from: ADA, emoji: '👎' };
      expect(await say(reaction)).toMatchObject({ message: null, ignored: 'blocked' });
    }
    expect(await commentsOf(own.api, ticket)).toEqual([['requester', 'Ada', 'Second']]);
    expect((await own.api.get('/teams/messages')).rows.flatMap(({ reactions }) => reactions)).toEqual([]);
    expect(await say({ type: 'deletion', external_message_id: 'm2' })).toMatchObject({ ignored: null });
    expect(await commentsOf(own.api, ticket)).toEqual([]);
    // A handle that nobody has written from is nobody, and not blocked.
    const other = { type: 'reaction', external_message_id: 'k1', from: { handle: 'lee' }, emoji: '👍' };
    expect(await say(other)).toMatchObject({ ignored: null });
  });
});

describe('reactions beyond what a message takes', () => {
  it('are passed over, and what is told beside them is taken', async () => {
    const own = await makeWorkspace(server);
    const tell = await telling(facebook as Provider, own);
    const event = (more: object): object => ({ sender: { id: '77' }, timestamp: 1.7e12, ...more });
    const message = (mid: string, text: string): object => event({ message: { mid, text } });
    const reactions = Array.from({ length: 25 }, (_, n) =>
      event({ reaction: { mid: 'm1', action: 'react', emoji: `e${n}` } }),
    );
    const messaging = [message('m1', 'First'), ...reactions, message('m2', 'Behind them')];
    expect(await tell({ object: 'page', entry: [{ messaging }] })).toBe(200);
    const { rows } = await own.api.get('/teams/messages?sort=created_at');
    expect(rows.map(({ body, reactions: all }) => [body, (all as unknown[]).length])).toEqual([
      ['First', 20],
      ['Behind them', 0],
    ]);
    const channel = await apiChannel(own.api, null);
    await handedIn(own.api, channel, { external_message_id: 'a1', from: ADA, body: 'Hello' });
    const told = (n: number) => ({ type: 'reaction', external_message_id: 'a1', from: ADA, emoji: `e${n}` });
    const answers = [];
    for (let n = 0; n < 21; n++) answers.push((await handedIn(own.api, channel, told(n))).ignored);
    expect(answers).toEqual([...Array.from({ length: 20 }, () => null), 'too_many']);
  });
});

it('names that show nothing are none, and an answer is to a message of its own conversation', async () => {
  const own = await makeWorkspace(server);
  const channel = await apiChannel(own.api, null);
  for (const [serial, name] of ['', ' ', '\u200b'].entries()) {
    const from = { handle: `h${serial}`, name };
    const { message, ticket } = await handedIn(own.api, channel, {
      external_message_id: `n${serial}`,
      from,
      body: 'x',
    });
    expect([message?.author_name, ticket?.requester_name]).toEqual([null, null]);
  }
  const answered = { external_message_id: 'a1', from: { handle: 'a' }, body: 'Mine' };
  await handedIn(own.api, channel, answered);
  const other = { external_message_id: 'b1', from: { handle: 'b' }, body: 'Yours?', in_reply_to: 'a1' };
  expect((await handedIn(own.api, channel, other)).message?.reply_to_id).toBeNull();
  const own2 = { external_message_id: 'a2', from: { handle: 'a' }, body: 'Mine again', in_reply_to: 'a1' };
  expect((await handedIn(own.api, channel, own2)).message?.reply_to_id).toEqual(expect.any(Number));
});

describe('what cannot be taken', () => {
  it('keeps nothing that is told beside it waiting, and is told again; what passes keeps the order', async () => {
    const own = await makeWorkspace(server);
    const tell = await telling(facebook as Provider, own);
    const events = ['First', 'Second', 'Third'].map((text, n) => ({
      ...{ sender: { id: '77' }, timestamp: 1.7e12, message: { mid: `m${n}`, text } },
    }));
    const content = { object: 'page', entry: [{ messaging: events }] };
    const said = async (): Promise<unknown[]> =>
      (await own.api.get('/teams/messages?sort=created_at')).rows.map(({ body }) => body);
    const inbound = server.app.get(Inbound, { strict: false });
    const take = inbound.take.bind(inbound);
    let failure: Error = new ApiError('service_unavailable', 'Not now.');
    const spy = jest.spyOn(inbound, 'take').mockImplementation((open, arrival) => {
      if ('body' in arrival && arrival.body === 'Second') throw failure;
      return take(open, arrival);
    });
    try {
      expect([await tell(content), await said()]).toEqual([503, ['First']]);
      failure = new Error('Never.');
      expect([await tell(content), await said()]).toEqual([500, ['First', 'Third']]);
    } finally {
      spy.mockRestore();
    }
    expect([await tell(content), await said()]).toEqual([200, ['First', 'Third', 'Second']]);
  });
});

it('a channel is told so much in a minute, however little of it comes in one request', async () => {
  const own = await makeWorkspace(server);
  const { type, config, sign } = facebook as Provider;
  const channel = (await own.api.post('/teams/channels', { type, name: type, config })).expect(201).data;
  const url = await inboundAddress(own.api, channel);
  const limits = server.app.get(PageLimits, { strict: false });
  const used = Array.from({ length: 5_995 }, () => limits.admit(`channel:${own.id}:${channel.id}`, 6_000));
  await Promise.all(used);
  const events = Array.from({ length: 10 }, (_, n) => ({
    sender: { id: '77' },
    message: { mid: `m${n}`, text: `${n}` },
  }));
  const { body, headers } = sign({ object: 'page', entry: [{ messaging: events }] }, url);
  const answer = await fetch(url, { method: 'POST', body, headers });
  expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([429, true]);
  expect((await own.api.get('/teams/messages')).meta.total).toBe(5);
});
