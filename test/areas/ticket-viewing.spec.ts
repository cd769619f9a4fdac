import { request } from 'undici';
import { ViewingBoard } from '../../src/areas/tickets/viewing/viewing-board';
import { eventFrame } from '../../src/platform/http/streams/event-stream';
import { type Session, viewersOf } from '../../src/areas/tickets/viewing/viewers';
import { MAX_PER_TOKEN } from '../../src/areas/tickets/viewing/viewing.service';
import { Tokens } from '../../src/platform/auth/tokens.service';
import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket, makeUser } from '../support/cast';
import { testServices } from '../support/services';
import { until } from '../support/until';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let workspace: TestWorkspace;
let ticket: Fields;
beforeEach(async () => {
  workspace = await makeWorkspace(server);
  ticket = await makeTicket(workspace.api);
});

const tokenOf = async (user: Fields): Promise<string> => {
  const tokens = server.app.get(Tokens);
  return (await tokens.create({ workspaceId: workspace.id, scopes: ['*'], name: 'own', userId: user.id })).token;
};

/** A stream: what it was told, and its end. */
class Watching {
  text = '';
  isOver = false;
  private constructor(
    readonly status: number,
    readonly headers: Record<string, unknown>,
    private readonly abort: AbortController,
  ) {}

  static async of(id: number, token: string, more: Record<string, string> = {}): Promise<Watching> {
    const abort = new AbortController();
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream', ...more };
    const answer = await request(`${server.url}/v1/tickets/${id}/viewing`, { headers, signal: abort.signal });
    const watching = new Watching(answer.statusCode, answer.headers, abort);
    void watching.read(answer.body);
    return watching;
  }

  /** Who looks, as told last. */
  get names(): string[] {
    const data = [...this.text.matchAll(/^data: (.*)$/gm)].at(-1)?.[1] ?? '{"viewers":[]}';
    return (JSON.parse(data) as { viewers: { name: string }[] }).viewers.map(({ name }) => name);
  }

  sees(...names: unknown[]): Promise<unknown> {
    return until(`the stream tells of ${names.join()}`, () => Promise.resolve(this.names.join() === names.join()));
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

describe('who looks at a ticket', () => {
  it('is told to all who do, when they come and when they go, each once', async () => {
    const [ida, eve] = [await makeUser(workspace.api), await makeUser(workspace.api)];
    const [idas, eves] = [await tokenOf(ida), await tokenOf(eve)];
    const first = await Watching.of(ticket.id, idas);
    expect(first.status).toBe(200);
    expect(first.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    await first.sees(ida.name);
    const second = await Watching.of(ticket.id, eves);
    const window = await Watching.of(ticket.id, eves);
    await Promise.all([first, second, window].map((each) => each.sees(ida.name, eve.name)));
    const { data } = (await workspace.api.get(`/tickets/${ticket.id}/viewing`)).expect(200);
    expect(data).toMatchObject({
      viewers: [
        { type: 'user', id: ida.id },
        { type: 'user', id: eve.id },
      ],
    });
    const other = await makeTicket(workspace.api);
    expect((await workspace.api.get(`/tickets/${other.id}/viewing`)).data).toEqual({ viewers: [] });
    first.end();
    await second.sees(eve.name);
    second.end();
    window.end();
    await until('nobody looks any more', async () => {
      const left = (await workspace.api.get(`/tickets/${ticket.id}/viewing`)).data.viewers as unknown[];
      return left.length === 0;
    });
  });

  it('is known to every process, and forgotten with one that dies', async () => {
    const elsewhere = new ViewingBoard({ redisUrl: testServices().redisUrl });
    const place = { workspaceId: workspace.id, ticketId: ticket.id };
    const since = new Date(0).toISOString();
    const session: Session = { key: 'x', type: 'user', id: 7, name: 'Max', since };
    expect(await elsewhere.renew(place, [session])).toEqual([session]);
    const watching = await Watching.of(ticket.id, workspace.token);
    await watching.sees('Max', ...(await nameOfToken()));
    await elsewhere.leave(place, [session]);
    await watching.sees(...(await nameOfToken()));
    watching.end();
    elsewhere.close();
    expect(await elsewhere.renew(place, [session])).toEqual([session]);
  });

  it('is nobody’s business elsewhere, and streams are not without number', async () => {
    const foreign = await makeWorkspace(server);
    expect((await foreign.api.get(`/tickets/${ticket.id}/viewing`)).status).toBe(404);
    expect((await Watching.of(ticket.id, foreign.token)).status).toBe(404);
    const open: Watching[] = [];
    for (let count = 0; count < MAX_PER_TOKEN; count++) open.push(await Watching.of(ticket.id, workspace.token));
    const refused = await Watching.of(ticket.id, workspace.token);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '5']);
    for (const each of open) each.end();
    await until('there is room again', async () => {
      const next = await Watching.of(ticket.id, workspace.token);
      next.end();
      return next.status === 200;
    });
  });
});

describe('a stream of events', () => {
  /** A stream whose token ends soon: later where the machine does not get so far by then. */
  const untilExpiry = async (seconds: number): Promise<Watching> => {
    const soon = { workspaceId: workspace.id, scopes: ['*'] as const, name: 'soon', expiresInSeconds: seconds };
    const watching = await Watching.of(ticket.id, (await server.app.get(Tokens).create(soon)).token);
    return watching.status === 401 ? untilExpiry(seconds * 2) : watching;
  };
  const over = (watching: Watching): Promise<unknown> =>
    until('the stream is over', () => Promise.resolve(watching.isOver));

  it('ends with the right to read it, and no other one does', async () => {
    const [ida, eve, max] = [
      await makeUser(workspace.api),
      await makeUser(workspace.api),
      await makeUser(workspace.api),
    ];
    const tokens = server.app.get(Tokens);
    const own = await tokens.create({ workspaceId: workspace.id, scopes: ['*'], name: 'own', userId: ida.id });
    const revoked = await Watching.of(ticket.id, own.token);
    const suspended = await Watching.of(ticket.id, await tokenOf(eve));
    const narrowed = await Watching.of(ticket.id, await tokenOf(max));
    const kept = await Watching.of(ticket.id, workspace.token);
    await kept.sees(ida.name, eve.name, max.name, ...(await nameOfToken()));
    await tokens.revoke(own.id);
    await over(revoked);
    await kept.sees(eve.name, max.name, ...(await nameOfToken()));
    (await workspace.api.patch(`/users/${eve.id}`, { status: 'deactivated' })).expect(200);
    await over(suspended);
    (await workspace.api.patch(`/users/${max.id}`, { role: 'light_agent' })).expect(200);
    await over(narrowed);
    await kept.sees(...(await nameOfToken()));
    expect(kept.isOver).toBe(false);
    kept.end();
  });

  it('ends with whom it is on behalf of, and when its token expires', async () => {
    const ida = await makeUser(workspace.api);
    const short = await untilExpiry(2);
    const acting = await Watching.of(ticket.id, workspace.token, { 'x-on-behalf-of': String(ida.id) });
    expect(acting.status).toBe(200);
    (await workspace.api.patch(`/users/${ida.id}`, { role: 'light_agent' })).expect(200);
    await over(acting);
    await over(short);
  });
});

async function nameOfToken(): Promise<string[]> {
  return [((await workspace.api.get('/me')).data.token as { name: string }).name];
}

it('shows everybody once, in the order of their coming', () => {
  const at = (second: number): string => new Date(second * 1_000).toISOString();
  const session = (key: string, id: number, second: number): Session => ({
    key,
    type: 'user',
    id,
    name: `U${id}`,
    since: at(second),
  });
  const { viewers } = viewersOf([session('a', 1, 3), session('b', 2, 2), session('c', 1, 1)]);
  expect(viewers.map(({ name, since }) => [name, since])).toEqual([
    ['U1', at(1)],
    ['U2', at(2)],
  ]);
  expect(eventFrame('viewers', { viewers: [] })).toBe('event: viewers\ndata: {"viewers":[]}\n\n');
});
