import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { until } from '../support/until';
import { Guest, IDENTITY_SECRET, identityOf, webchat } from '../support/webchat';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let workspace: TestWorkspace;

const abort = new AbortController();
afterAll(() => abort.abort());

beforeAll(async () => {
  workspace = await makeWorkspace(server);
});

/** What a visitor hears, and whether there is more to come. */
interface Heard {
  text: string;
  isOver: boolean;
}

/** The stream of somebody whom the site has identified, and who has said something. */
async function listening(channel: Fields): Promise<Heard> {
  const guest = await Guest.of(server, workspace.api, channel);
  await guest.begin({ identity: identityOf({ email: 'ada@people.example' }) });
  await guest.say('Hello', 'client-0001');
  const headers = { ...guest.headers, accept: 'text/event-stream' };
  const { status, body } = await fetch(guest.address('/stream'), { headers, signal: abort.signal });
  expect(status).toBe(200);
  const heard: Heard = { text: '', isOver: false };
  const read = async (): Promise<void> => {
    for await (const chunk of body ?? []) heard.text += Buffer.from(chunk).toString();
    heard.isOver = true;
  };
  void read().catch(() => undefined);
  return heard;
}

async function answer(channel: Fields, body: string): Promise<void> {
  const [thread] = (await workspace.api.get(`/teams/threads?channel_id=${channel.id}`)).rows;
  const said = { thread_id: thread?.id, body };
  (await workspace.api.post(`/teams/channels/${channel.id}/messages`, said)).expect(201);
}

const change = (channel: Fields, body: object): Promise<unknown> =>
  workspace.api.patch(`/teams/channels/${channel.id}`, body).then((told) => told.expect(200));

it.each([
  ['another secret of the site', { config: { identity_secret: `${IDENTITY_SECRET}-2` } }, {}],
  ['a pause of the channel', { status: 'paused' }, { status: 'active' }],
  ['another site', { config: { allowed_origins: ['https://other.example'] } }, {}],
])('a stream ends, and tells nothing more, after %s', async (_what, body, back) => {
  const channel = await webchat(workspace.api, { identity_secret: IDENTITY_SECRET });
  const heard = await listening(channel);
  await answer(channel, 'Heard');
  await until('the visitor hears it', () => heard.text.includes('Heard'));
  await change(channel, body);
  if ('status' in body) {
    const [thread] = (await workspace.api.get(`/teams/threads?channel_id=${channel.id}`)).rows;
    (await workspace.api.post(`/tickets/${thread?.ticket_id as number}/comments`, { body: 'Kept back' })).expect(201);
  } else await answer(channel, 'Kept back');
  await until('the stream ends', () => heard.isOver || heard.text.includes('Kept back'));
  expect(heard.text).not.toContain('Kept back');
  if (Object.keys(back).length > 0) await change(channel, back);
});
