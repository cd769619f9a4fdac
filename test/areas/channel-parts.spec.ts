import fc from 'fast-check';
import { partsOf } from '../../src/areas/channels/outbound/parts';
import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { type Provider, PROVIDERS } from '../support/channel-providers';
import { inboundAddress } from '../support/channels';
import { drained, timePasses } from '../support/jobs';
import { useReceiver } from '../support/receiver';
import { until } from '../support/until';
import { uploaded } from '../support/uploads';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const PLAIN = { files: [], template: null };
const text = fc.string({ unit: fc.constantFrom('a', 'word', ' ', '\n', '\n\n', '🖨', 'é'), maxLength: 400 });

describe('the parts of a text', () => {
  it('are no longer than there is room for, whole characters, and all that was said', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 60 }), (body, maxText) => {
        const parts = partsOf({ ...PLAIN, body }, { maxText });
        expect(parts.every((part) => part.length <= maxText && part.isWellFormed())).toBe(true);
        const letters = (said: string): string => said.replaceAll(/\s/g, '');
        expect(letters(parts.join(''))).toBe(letters(body));
        expect(parts.length).toBeGreaterThan(0);
      }),
    );
  });

  it('end between paragraphs, else lines, else words', () => {
    const split = (body: string): string[] => partsOf({ ...PLAIN, body }, { maxText: 12 });
    expect(split('One two\n\nthree four')).toEqual(['One two', 'three four']);
    expect(split('One two\nthree four')).toEqual(['One two', 'three four']);
    expect(split('One two three four')).toEqual(['One two', 'three four']);
    expect(split('x'.repeat(25))).toEqual(['x'.repeat(12), 'x'.repeat(12), 'x']);
  });
});

describe('an answer', () => {
  const server = useApp();
  const receiver = useReceiver();
  const facebook = PROVIDERS.facebook as Provider;
  let workspace: TestWorkspace;
  let channel: Fields;
  let thread_id: unknown;
  let address: string;

  beforeEach(async () => {
    workspace = await makeWorkspace(server);
    const body = { type: 'facebook', name: 'Page', config: { ...facebook.config, api_url: receiver.url } };
    channel = (await workspace.api.post('/teams/channels', body)).expect(201).data;
    address = await inboundAddress(workspace.api, channel);
    const { body: told, headers } = facebook.sign(facebook.message('Help', 1), address);
    expect((await fetch(address, { method: 'POST', body: told, headers })).status).toBe(200);
    [{ thread_id }] = (await workspace.api.get('/teams/messages')).rows as [Fields];
  });

  const texts = (): string[] =>
    receiver
      .received(facebook.sent.path)
      .map(({ body }) => (JSON.parse(body) as { message: { text: string } }).message.text);
  const outbound = async (): Promise<Fields> => {
    const { rows } = await workspace.api.get('/teams/messages?direction=outbound&sort=created_at');
    return rows[0] as Fields;
  };

  it('that is longer than the network takes leaves in parts; what was taken does not leave again', async () => {
    const paragraphs = ['a', 'b', 'c'].map((letter) => `${letter.repeat(1_500)}🖨`);
    receiver.answer(({ body }) => (body.includes('bbb') ? 503 : { status: 200, body: facebook.answer }));
    const said = { thread_id, body: paragraphs.join('\n\n') };
    const { id } = (await workspace.api.post(`/teams/channels/${channel.id}/messages`, said)).expect(201).data;
    await until('the second part was tried', () => texts().length > 1);
    await drained(server, workspace);
    expect((await workspace.api.patch(`/teams/messages/${id}`, { body: 'Other' })).codes).toEqual({ body: 'sent' });
    receiver.answer({ status: 200, body: facebook.answer });
    await timePasses(server, workspace);
    await until('all has left', async () => (await outbound()).status === 'sent');
    await drained(server, workspace);
    const [first, ...others] = texts();
    // On a slow machine the second may have been tried once more.
    expect([first, ...new Set(others)]).toEqual(paragraphs);
    expect(texts().filter((part) => part === paragraphs[0])).toHaveLength(1);
    expect(await outbound()).toMatchObject({ body: said.body, status: 'sent', external_message_id: 'm_900' });
  });

  it('of which somebody answers a part, or reacts to one, is what they mean; it has come as far as its last part', async () => {
    let serial = 0;
    receiver.answer(() => {
      serial += 1;
      return { status: 200, body: JSON.stringify({ recipient_id: '77', message_id: `m_part${serial}` }) };
    });
    const said = { thread_id, body: ['a', 'b', 'c'].map((letter) => letter.repeat(1_500)).join('\n\n') };
    const { id } = (await workspace.api.post(`/teams/channels/${channel.id}/messages`, said)).expect(201).data;
    await until('all has left', async () => (await outbound()).status === 'sent');
    expect(await outbound()).toMatchObject({ id, external_message_id: `m_part${serial}` });
    const told = async (event: object): Promise<void> => {
      const messaging = [{ sender: { id: '77' }, recipient: { id: '1' }, timestamp: 1_790_000_000_000, ...event }];
      const { body, headers } = facebook.sign({ object: 'page', entry: [{ id: '1', messaging }] }, address);
      expect((await fetch(address, { method: 'POST', body, headers })).status).toBe(200);
    };
    await told({ delivery: { mids: ['m_part1'] } });
    expect(await outbound()).toMatchObject({ status: 'sent', delivered_at: null });
    await told({ reaction: { mid: 'm_part1', action: 'react', emoji: '👍' } });
    expect(await outbound()).toMatchObject({ reactions: [{ emoji: '👍', count: 1 }] });
    await told({ message: { mid: 'm_2', text: 'Thanks', reply_to: { mid: 'm_part2' } } });
    const answers = (await workspace.api.get('/teams/messages?direction=inbound&sort=-created_at')).rows;
    expect(answers.find(({ body }) => body === 'Thanks')).toMatchObject({ reply_to_id: id });
    await told({ delivery: { mids: [`m_part${serial}`] } });
    expect(await outbound()).toMatchObject({ status: 'delivered' });
  });

  it('brings its files as links, and those of a comment on the ticket', async () => {
    receiver.answer({ status: 200, body: facebook.answer });
    const file = await uploaded(workspace.api, 'The manual', 'manual.txt', 'text/plain');
    const [ticket] = (await workspace.api.get('/tickets')).rows;
    const comment = { body: 'Here it is', attachment_ids: [file.id] };
    (await workspace.api.post(`/tickets/${ticket?.id ?? 0}/comments`, comment)).expect(201);
    await drained(server, workspace);
    const [said = ''] = texts();
    const [, url = ''] = /^Here it is\n\nmanual\.txt: (\S+)$/.exec(said) ?? [];
    expect(await (await fetch(url)).text()).toBe('The manual');
  });
});
