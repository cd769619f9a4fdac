import { createHmac } from 'node:crypto';
import { useApp } from '../support/app';
import { type Posted, type Provider, PROVIDERS } from '../support/channel-providers';
import { inboundAddress } from '../support/channels';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await makeWorkspace(server);
});

const { slack, telegram, whatsapp, facebook } = PROVIDERS as Record<string, Provider>;
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
