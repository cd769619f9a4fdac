import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeRule, settledTicket } from '../support/automations';
import { make, makeTicket, makeUser } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { insist } from '../support/insist';
import { useSmtpServer } from '../support/mail-servers';
import { useSql } from '../support/sql';
import { drained } from '../support/jobs';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await makeWorkspace(server);
});

const makeResolved = (body: Record<string, unknown> = {}): Promise<Fields> =>
  makeTicket(workspace.api, { status: 'resolved', ...body });
const patch = async (id: number, body: object): Promise<Fields> =>
  (await workspace.api.patch(`/tickets/${id}`, body)).expect(200).data;
const ratings = async (id: number, query = ''): Promise<Fields[]> =>
  (await workspace.api.get(`/tickets/${id}/ratings?${query}`)).expect(200).rows;

describe('POST /tickets/{id}/rate', () => {
  it('puts the rating on the ticket, in its history and into an event', async () => {
    const team = await make(workspace.api, '/teams');
    const user = await makeUser(workspace.api);
    const { id } = await makeResolved({ team_id: team.id, assigned_to: user.id });
    const answer = (await workspace.api.post(`/tickets/${id}/rate`, { score: 4, comment: ' Quick. \r\n' })).expect(200);
    expect(answer.data).toMatchObject({ id, csat_score: 4, csat_comment: 'Quick.', status: 'resolved' });
    expect((await workspace.api.get(`/tickets/${id}`)).data).toEqual(answer.data);
    const [rating, ...more] = await ratings(id);
    expect(more).toEqual([]);
    expect(rating).toMatchObject({
      ticket_id: id,
      resolution: 1,
      score: 4,
      comment: 'Quick.',
      source: 'api',
      team_id: team.id,
      assigned_to: user.id,
      rated_at: answer.data.csat_at,
    });
    const events = await eventsOf(server, workspace, 'ticket', id);
    expect(events.map(({ type }) => type)).toEqual(['ticket.created', 'ticket.sla_met', 'ticket.csat_received']);
    expect(events[2]?.changes?.csat_score).toEqual({ from: null, to: 4 });
    const [entry] = (await workspace.api.get(`/tickets/${id}/history`)).rows;
    expect(entry).toMatchObject({ type: 'ticket.csat_received', related: { rating: { resolution: 1, score: 4 } } });
  });

  it('refuses scores and comments that are none, and tickets that are not resolved', async () => {
    const { id } = await makeResolved();
    for (const body of [{}, { score: 0 }, { score: 6 }, { score: 2.5 }, { score: '4' }, { score: null }]) {
      expect((await workspace.api.post(`/tickets/${id}/rate`, body)).status).toBe(422);
    }
    const long = await workspace.api.post(`/tickets/${id}/rate`, { score: 1, comment: 'x'.repeat(4_001) });
    expect(Object.keys(long.codes)).toEqual(['comment']);
    for (const status of ['open', 'in_progress', 'on_hold']) {
      const open = await makeTicket(workspace.api, { status });
      const refused = (await workspace.api.post(`/tickets/${open.id}/rate`, { score: 5 })).expect(422);
      expect(refused.error.details).toEqual([
        expect.objectContaining({ field: 'status', code: 'not_resolved', status }),
      ]);
    }
    expect((await workspace.api.post('/tickets/999999999/rate', { score: 5 })).status).toBe(404);
    expect((await workspace.readApi.post(`/tickets/${id}/rate`, { score: 5 })).status).toBe(403);
    expect(await ratings(id)).toEqual([]);
  });

  it('replaces the rating of the same resolution, and takes a new one for the next', async () => {
    const { id } = await makeResolved();
    await workspace.api.post(`/tickets/${id}/rate`, { score: 1, comment: 'Still broken' });
    const [first] = await ratings(id);
    const again = (await workspace.api.post(`/tickets/${id}/rate`, { score: 2 })).expect(200).data;
    expect(again).toMatchObject({ csat_score: 2, csat_comment: null });
    expect(await ratings(id)).toEqual([{ ...first, score: 2, comment: null, rated_at: again.csat_at }]);
    (await workspace.api.post(`/tickets/${id}/reopen`)).expect(200);
    expect((await workspace.api.post(`/tickets/${id}/rate`, { score: 3 })).codes).toEqual({ status: 'not_resolved' });
    await patch(id, { status: 'closed' });
    expect((await workspace.api.post(`/tickets/${id}/rate`, { score: 5 })).data.csat_score).toBe(5);
    expect((await ratings(id)).map(({ resolution, score }) => [resolution, score])).toEqual([
      [2, 5],
      [1, 2],
    ]);
    expect((await ratings(id, 'score=2')).map(({ resolution }) => resolution)).toEqual([1]);
  });

  it('does nothing when the same is said twice, and nothing when the ticket was changed by another', async () => {
    const { id, version: _ } = await makeResolved();
    const path = `/tickets/${id}/rate`;
    const first = await workspace.api.post(path, { score: 3, comment: 'Fine' });
    const second = await workspace.api.post(path, { score: 3, comment: 'Fine ' });
    expect([second.header('etag'), second.data]).toEqual([first.header('etag'), first.data]);
    expect((await workspace.api.post(path, { score: 1 }, { 'If-Match': '"1"' })).status).toBe(412);
    const etag = first.header('etag') ?? '';
    expect((await workspace.api.post(path, { score: 4 }, { 'If-Match': etag })).status).toBe(200);
    const types = (await eventsOf(server, workspace, 'ticket', id)).map(({ type }) => type);
    expect(types.filter((type) => type === 'ticket.csat_received')).toHaveLength(2);
    const key = { 'Idempotency-Key': `rate-${id}` };
    const keyed = await workspace.api.post(path, { score: 5 }, key);
    await workspace.api.post(path, { score: 1 });
    expect((await workspace.api.post(path, { score: 5 }, key)).text).toBe(keyed.text);
    expect((await ratings(id)).map(({ score }) => score)).toEqual([1]);
  });

  it('keeps one rating per resolution when many come at once', async () => {
    const { id } = await makeResolved();
    const scores = [1, 2, 3, 4, 5, 1, 2, 3];
    const answers = await Promise.all(
      scores.map((score) => insist(() => workspace.api.post(`/tickets/${id}/rate`, { score }))),
    );
    expect(answers.map(({ status }) => status)).toEqual(scores.map(() => 200));
    const [rating, ...more] = await ratings(id);
    expect(more).toEqual([]);
    const { data } = await workspace.api.get(`/tickets/${id}`);
    expect([data.csat_score, data.csat_at]).toEqual([rating?.score, rating?.rated_at]);
  });

  it('refuses a ticket that was merged, and forgets ratings with their ticket', async () => {
    const [{ id }, into] = [await makeResolved(), await makeResolved()];
    (await workspace.api.post(`/tickets/${id}/rate`, { score: 5 })).expect(200);
    (await workspace.api.post(`/tickets/${id}/merge`, { into_id: into.id })).expect(200);
    expect((await workspace.api.post(`/tickets/${id}/rate`, { score: 1 })).codes).toEqual({ id: 'merged' });
    expect(await ratings(id)).toHaveLength(1);
    (await workspace.api.delete(`/tickets/${id}`)).expect(200);
    expect((await workspace.api.get(`/tickets/${id}/ratings`)).status).toBe(404);
    expect(await sql.rows(`SELECT FROM ticket_ratings WHERE ticket_id = $1`, [id])).toEqual([]);
  });

  it('starts automations, whose conditions know the score', async () => {
    await makeRule(workspace, {
      trigger: 'ticket.csat_received',
      conditions: { all: [{ field: 'csat_score', operator: 'lte', value: 2 }] },
      actions: [{ type: 'add_tags', tags: ['unhappy'] }],
    });
    const [sad, glad] = [await makeResolved(), await makeResolved()];
    await workspace.api.post(`/tickets/${sad.id}/rate`, { score: 2 });
    await workspace.api.post(`/tickets/${glad.id}/rate`, { score: 3 });
    expect((await settledTicket(server, workspace, sad.id)).tags).toBe('unhappy');
    expect((await settledTicket(server, workspace, glad.id)).tags).toBe('');
  });
});

describe('the page /p/rate', () => {
  const linkOf = async (id: number): Promise<string> => {
    const { rating_url } = (await workspace.api.post(`/tickets/${id}/rating-link`)).expect(200).data;
    return (rating_url as string).replace(/^https?:\/\/[^/]+/, server.url);
  };
  const send = (url: string, form: Record<string, string>): Promise<Response> =>
    fetch(url, { method: 'POST', body: new URLSearchParams(form) });

  it('answers a link that ends', async () => {
    const { id } = await makeResolved();
    const { data } = (await workspace.api.post(`/tickets/${id}/rating-link`)).expect(200);
    const days = (Date.parse(data.expires_at as string) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(30);
    expect((await workspace.api.post('/tickets/999999999/rating-link')).status).toBe(404);
    expect((await workspace.readApi.post(`/tickets/${id}/rating-link`)).status).toBe(403);
    const altered = (await linkOf(id)).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    expect((await fetch(altered)).status).toBe(404);
  });

  it('chooses what the link says, and writes only what the button sends, as the requester', async () => {
    const { id } = await makeResolved({
      subject: '<b>Ink</b>',
      requester_email: 'ada@example.com',
      requester_name: 'Ada',
    });
    const url = await linkOf(id);
    const page = await (await fetch(`${url}?score=4`)).text();
    expect(page).toMatch(/value="4"[^>]*checked/);
    expect(page.match(/ checked/g)).toHaveLength(1);
    expect(page).toContain('&lt;b&gt;Ink&lt;/b&gt;');
    expect(page).not.toContain('<script');
    expect(await ratings(id)).toEqual([]);
    const thanks = await send(url, { score: '4', comment: 'Thanks!\r\nReally.' });
    expect([thanks.status, await thanks.text()]).toEqual([200, expect.stringContaining('Thank you')]);
    expect(await ratings(id)).toMatchObject([{ score: 4, comment: 'Thanks!\nReally.', source: 'link' }]);
    const [entry] = (await workspace.api.get(`/tickets/${id}/history`)).rows;
    expect(entry).toMatchObject({ type: 'ticket.csat_received', actor: { type: 'requester', name: 'Ada' } });
    await send(url, { score: '2', comment: '' });
    expect(await ratings(id)).toMatchObject([{ score: 2, comment: null }]);
    expect(await (await fetch(url)).text()).toMatch(/value="2"[^>]*checked/);
  });

  it('refuses forms that say nothing', async () => {
    const { id } = await makeResolved();
    const url = await linkOf(id);
    for (const form of [{}, { score: '6' }, { score: '' }, { score: '4', comment: 'x'.repeat(4_001) }]) {
      const answer = await send(url, form as Record<string, string>);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([422, 'text/html; charset=utf-8']);
    }
    const none = await fetch(`${url}?score=9`);
    expect([none.status, (await none.text()).includes(' checked')]).toEqual([200, false]);
    expect(await ratings(id)).toEqual([]);
  });

  it('says that the ticket is open again, that it is gone, and when it is too late for a change', async () => {
    const { id } = await makeResolved();
    const url = await linkOf(id);
    await send(url, { score: '5' });
    await sql.rows(`UPDATE ticket_ratings SET created_at = now() - interval '8 days' WHERE ticket_id = $1`, [id]);
    expect(await (await fetch(url)).text()).toContain('can no longer be changed');
    expect(await (await send(url, { score: '1' })).text()).toContain('can no longer be changed');
    (await workspace.api.post(`/tickets/${id}/reopen`)).expect(200);
    expect(await (await fetch(url)).text()).toContain('worked on again');
    expect(await (await send(url, { score: '1' })).text()).toContain('worked on again');
    expect(await ratings(id)).toMatchObject([{ resolution: 1, score: 5 }]);
    (await workspace.api.delete(`/tickets/${id}`)).expect(200);
    expect((await fetch(url)).status).toBe(404);
    expect((await send(url, { score: '1' })).status).toBe(404);
  });
});

describe('a ticket that was merged into another', () => {
  it('has no link, and the page of one that was sent before says where it went', async () => {
    const [{ id }, into] = [await makeResolved(), await makeTicket(workspace.api)];
    const { rating_url } = (await workspace.api.post(`/tickets/${id}/rating-link`)).expect(200).data;
    const url = (rating_url as string).replace(/^https?:\/\/[^/]+/, server.url);
    (await workspace.api.post(`/tickets/${id}/merge`, { into_id: into.id })).expect(200);
    const refused = (await workspace.api.post(`/tickets/${id}/rating-link`)).expect(422);
    expect(refused.codes).toEqual({ id: 'merged' });
    expect(refused.error.message).toContain(`ticket ${into.id};`);
    const rate = { method: 'POST', body: new URLSearchParams({ score: '5' }) };
    for (const page of [await fetch(url), await fetch(url, rate)]) {
      const text = await page.text();
      expect([page.status, text.includes('joined with another'), text.includes('worked on')]).toEqual([
        200,
        true,
        false,
      ]);
      expect(text).not.toContain(into.code as string);
    }
    expect(await ratings(id)).toEqual([]);
    (await workspace.api.delete(`/tickets/${into.id}`)).expect(200);
    (await workspace.api.post(`/tickets/${id}/rating-link`)).expect(200);
  });
});

describe('the request for a rating', () => {
  const smtp = useSmtpServer();

  it('goes to the requester once per resolution, where the workspace wants it', async () => {
    const asking = await makeWorkspace(server);
    (await asking.api.post('/integrations', { provider: 'smtp', config: smtp.config() })).expect(201);
    const resolve = async (id: number): Promise<void> => {
      (await asking.api.patch(`/tickets/${id}`, { status: 'resolved' })).expect(200);
      await drained(server, asking);
    };
    const quiet = await makeTicket(asking.api, { requester_email: 'quiet@people.example' });
    await resolve(quiet.id);
    expect(smtp.taken).toEqual([]);
    await sql.rows(`UPDATE workspaces SET settings = settings || '{"csat_request": true}' WHERE id = $1`, [asking.id]);
    const { id, code } = await makeTicket(asking.api, { requester_email: 'ada@people.example', requester_name: 'Ada' });
    const nobody = await makeTicket(asking.api);
    for (const each of [id, nobody.id]) await resolve(each);
    const [mail, ...more] = smtp.taken;
    expect(more).toEqual([]);
    expect(mail?.to).toEqual(['ada@people.example']);
    expect(mail?.mail.subject).toBe(`[${code as string}] How did we do?`);
    const url = /http\S+\/p\/rate\/\S+\?score=5/.exec(mail?.mail.text ?? '')?.[0] ?? '';
    const page = await fetch(url.replace(/^https?:\/\/[^/]+/, server.url));
    expect(await page.text()).toMatch(/value="5"[^>]*checked/);
    (await asking.api.post(`/tickets/${id}/reopen`)).expect(200);
    await resolve(id);
    expect(smtp.taken).toHaveLength(2);
    (await asking.api.patch(`/tickets/${id}`, { status: 'closed' })).expect(200);
    await drained(server, asking);
    expect(smtp.taken).toHaveLength(2);
  });
});
