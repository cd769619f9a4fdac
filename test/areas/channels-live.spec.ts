import { request } from 'undici';
import { frameOf, LiveStream } from '../../src/areas/channels/live/live-stream';
import { EventStream } from '../../src/platform/http/streams/event-stream';
import { Seats } from '../../src/platform/http/streams/seats';
import { MAX_PER_TOKEN } from '../../src/areas/channels/live/live-feed';
import { CreateMessage } from '../../src/areas/channels/message.dto';
import { markOf, readMark } from '../../src/areas/channels/live/log-place';
import { MessagesService } from '../../src/areas/channels/messages.service';
import { Database } from '../../src/platform/database/database';
import { ApiError } from '../../src/platform/errors/api-error';
import { Tokens } from '../../src/platform/auth/tokens.service';
import { Api, type Fields } from '../support/api';
import { useApp } from '../support/app';
import { make, makeUser } from '../support/cast';
import { thrownBy } from '../support/thrown-by';
import { until } from '../support/until';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let workspace: TestWorkspace;
let channel: Fields;

beforeEach(async () => {
  workspace = await makeWorkspace(server);
  channel = await make(workspace.api, '/teams/channels', { type: 'internal' });
});

/** What was said, and by which event. */
interface Heard {
  id: string;
  type: string;
  text: string | undefined;
}

/** A stream: what it told, and its end. */
class Listening {
  text = '';
  isOver = false;
  private constructor(
    readonly status: number,
    private readonly abort: AbortController,
  ) {}

  static async of(token: string, query = '', last: string | null = null): Promise<Listening> {
    const abort = new AbortController();
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
    const answer = await request(`${server.url}/v1/teams/stream${query}`, {
      headers: last === null ? headers : { ...headers, 'last-event-id': last },
      signal: abort.signal,
    });
    const listening = new Listening(answer.statusCode, abort);
    void listening.read(answer.body);
    return listening;
  }

  get heard(): Heard[] {
    return [...this.text.matchAll(/^id: (.*)\nevent: (.*)\ndata: (.*)\n\n/gm)].map(
      ([, id = '', type = '', data = '{}']) => {
        const { message } = (JSON.parse(data) as { data: { message?: { body?: string } } }).data;
        return { id, type, text: message?.body };
      },
    );
  }

  get said(): string[] {
    return this.heard.flatMap(({ type, text }) => (type === 'channel_thread.message_added' && text ? [text] : []));
  }

  async hears(...texts: string[]): Promise<void> {
    await until(`the stream tells ${texts.join()}`, () => this.said.length >= texts.length);
    expect(this.said).toEqual(texts);
  }

  end(): void {
    this.abort.abort();
  }

  private async read(body: AsyncIterable<Buffer>): Promise<void> {
    try {
      for await (const chunk of body) this.text += chunk.toString();
    } catch {
      // It was ended here.
    }
    this.isOver = true;
  }
}

async function say(body: string, to = channel): Promise<Fields> {
  return (await workspace.api.post('/teams/messages', { channel_id: to.id, body })).expect(201).data;
}

async function tokenOf(body: Record<string, unknown> = {}): Promise<string> {
  const user = await makeUser(workspace.api, body);
  const tokens = server.app.get(Tokens);
  return (await tokens.create({ workspaceId: workspace.id, scopes: ['*'], userId: user.id })).token;
}

it('tells what is said, to who sees it, where they listen', async () => {
  const secret = await make(workspace.api, '/teams/channels', { type: 'internal', is_private: true });
  const all = await Listening.of(workspace.token);
  const outsider = await Listening.of(await tokenOf());
  const there = await Listening.of(workspace.token, `?channel_id=${secret.id}`);
  await say('In public');
  const { thread_id } = await say('In private', secret);
  (await workspace.api.post(`/teams/threads/${thread_id as number}/typing`, {})).expect(200);
  await until('it is told that somebody writes', () => there.text.includes('event: typing\n'));
  await say('In public again');
  await all.hears('In public', 'In private', 'In public again');
  await outsider.hears('In public', 'In public again');
  await there.hears('In private');
  expect(outsider.text).not.toContain('event: typing');
  // To say that one writes in what one does not see is to ask for nothing that is there.
  const stranger = new Api(server.url, await tokenOf());
  (await stranger.post(`/teams/threads/${thread_id as number}/typing`, {})).expect(404);
  for (const each of [all, outsider, there]) each.end();
});

it('goes on where it was, and misses nothing and tells nothing twice', async () => {
  const first = await Listening.of(workspace.token);
  await say('One');
  await first.hears('One');
  const last = first.heard.at(-1)?.id ?? null;
  first.end();
  await say('Two');
  await say('Three');
  const second = await Listening.of(workspace.token, '', last);
  await say('Four');
  await second.hears('Two', 'Three', 'Four');
  second.end();
  // Whoever writes something else meanwhile may still come before them.
  const place = async (): Promise<unknown> => (await workspace.api.get('/teams/stream')).expect(200).data.last_event_id;
  await until('nothing can come before the last event', async () => (await place()) !== null);
  expect(await place()).toMatch(/^evt_/);
});

it('tells a long absence bit by bit: it ends when there is enough to read, and goes on when its reader comes back', async () => {
  const first = await Listening.of(workspace.token);
  await say('One');
  await first.hears('One');
  let last = first.heard.at(-1)?.id ?? null;
  first.end();
  const texts = Array.from({ length: 8 }, (_, n) => String(n).repeat(60_000));
  for (const text of texts) await say(text);
  const settled = '/events?type=channel_thread.message_added&fields=id&per_page=1';
  await until(
    'all of it is in the log',
    async () => (await workspace.api.get(settled)).meta.total === texts.length + 1,
  );
  const told: string[] = [];
  let streams = 0;
  for (; told.length < texts.length && streams < 20; streams++) {
    const next = await Listening.of(workspace.token, '', last);
    await until('it ends, or has told all', () => next.isOver || told.length + next.said.length === texts.length);
    told.push(...next.said);
    last = next.heard.at(-1)?.id ?? last;
    next.end();
  }
  expect([told.map((text) => text.slice(0, 1)), streams > 1]).toEqual([texts.map((text) => text.slice(0, 1)), true]);
});

it('waits for nobody whose work is not done, and misses nothing of it later', async () => {
  const other = await make(workspace.api, '/teams/channels', { type: 'internal', name: 'Other' });
  const first = await Listening.of(workspace.token);
  const done = new Gate();
  const begun = new Gate();
  const database = server.app.get(Database);
  const slow = database.inWorkspace(workspace.id, { type: 'system', id: null, name: 'slow' }, () =>
    database.transaction(async () => {
      await server.app
        .get(MessagesService)
        .create(Object.assign(new CreateMessage(), { channel_id: other.id, body: 'Slow' }));
      begun.open();
      await done.opened;
    }),
  );
  await begun.opened;
  await say('Quick');
  await first.hears('Quick');
  const last = first.heard.at(-1)?.id ?? null;
  first.end();
  done.open();
  await slow;
  const second = await Listening.of(workspace.token, '', last);
  await say('Later');
  await second.hears('Slow', 'Later');
  // The id of an event is a place, too: everything that stands behind it in the log.
  const [uid = ''] = (last ?? '').split('~');
  const third = await Listening.of(workspace.token, '', uid);
  await third.hears('Later');
  for (const each of [second, third]) each.end();
});

it('takes no mark that was made up for a place', () => {
  expect(readMark('evt_1~10:12:10,11')).toEqual({ uid: 'evt_1', snapshots: ['10:12:10,11'] });
  for (const snapshot of [
    'x',
    '0:1:',
    '12:10:',
    '10:12:12',
    '10:12:11,10',
    '10:12:9',
    '10:12:10,',
    `${'9'.repeat(30)}:1:`,
  ])
    expect([snapshot, readMark(`evt_1~${snapshot}`)?.snapshots]).toEqual([snapshot, []]);
  expect([readMark(''), readMark('x'.repeat(2_001)), readMark('~1:1:')]).toEqual([null, null, null]);
  const running = Array.from({ length: 60 }, (_, n) => 100 + n).join(',');
  expect(markOf('evt_1', { from: '1:2:', to: `100:200:${running}`, after: null })).toBe('evt_1~100:100:');
});

/** What one waits for until another lets them pass. */
class Gate {
  open: () => void = () => undefined;
  readonly opened = new Promise<void>((resolve) => (this.open = resolve));
}

it('says so where it cannot go on', async () => {
  const lost = await Listening.of(workspace.token, '', 'evt_of_nobody');
  await until('the stream says so', () => lost.text.includes('event: reset\n'));
  await say('From now on');
  await lost.hears('From now on');
  lost.end();
});

it('is for a few of a token at once', async () => {
  const streams = [];
  for (let n = 0; n < MAX_PER_TOKEN; n++) streams.push(await Listening.of(workspace.token));
  const tooMany = await Listening.of(workspace.token);
  expect([streams.map(({ status }) => status), tooMany.status]).toEqual([streams.map(() => 200), 429]);
  for (const each of streams) each.end();
  await until('their places are free', async () => {
    const again = await Listening.of(workspace.token);
    again.end();
    return again.status === 200;
  });
  (await workspace.api.get('/teams/stream?channel_id=x')).expect(422);
});

it('ends with what its reader has not taken, and keeps no more than a bound', () => {
  const hears = (): Promise<boolean> => Promise.resolve(false);
  const nobody = { key: '', frames: () => Promise.resolve(new Map<never, never>()), hears };
  const stream = new LiveStream(nobody, { channel_id: null, thread_id: null });
  const at = { tx: '1', id: '1', uid: 'evt_1', mark: 'evt_1', channel_id: 1, thread_id: 1 };
  const event = { ...at, type: 'x.y', body: 'x'.repeat(10_000) };
  let most = 0;
  for (let n = 0; n < 1_000; n++) {
    stream.write(frameOf(event));
    most = Math.max(most, stream.waiting);
  }
  expect([stream.output.writableEnded, most < 300_000]).toEqual([true, true]);
});

it('gives signs of life, ends when its time is over, and lets go who does not read the end', () => {
  const stream = new EventStream(1_000, 60_000);
  const begun = performance.now();
  const said = (): string => String(stream.output.read() ?? '');
  expect(said()).toBe('retry: 1000\n\n');
  stream.look(begun + 11_000);
  expect(said()).toBe('');
  stream.look(begun + 13_000);
  expect(said()).toBe(':\n\n');
  stream.look(begun + 61_000);
  expect([stream.output.writableEnded, stream.output.destroyed]).toEqual([true, false]);
  stream.look(begun + 95_000);
  expect(stream.output.destroyed).toBe(true);
});

it('counts the streams of tokens, workspaces and the process', () => {
  const seats = new Seats({ token: 1, workspace: 2, process: 3 });
  const leave = seats.take(1, 1);
  expect(thrownBy(() => seats.take(1, 1), ApiError)).toMatchObject({ status: 429 });
  seats.take(2, 1);
  expect(thrownBy(() => seats.take(3, 1), ApiError)).toMatchObject({ status: 429 });
  seats.take(3, 2);
  expect(thrownBy(() => seats.take(4, 3), ApiError)).toMatchObject({ status: 503 });
  leave();
  leave();
  seats.take(1, 1);
  expect(thrownBy(() => seats.take(5, 3), ApiError)).toMatchObject({ status: 503 });
  expect([seats.has(1), seats.has(3)]).toEqual([true, false]);
  leave();
  seats.close();
  expect(thrownBy(() => seats.take(6, 4), ApiError)).toMatchObject({ status: 503 });
});
