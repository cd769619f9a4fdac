import { desk, QUESTION, UNKNOWN } from '../support/ai-conversations';
import { completion, GOOD } from '../support/ai-provider';
import type { Api, Fields } from '../support/api';
import { useApp } from '../support/app';
import { make, makeTicket } from '../support/cast';
import { drained } from '../support/jobs';
import { useReceiver } from '../support/receiver';
import { useSql } from '../support/sql';
import type { TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
const model = useReceiver();
const ASKED = { subject: QUESTION, requester_email: 'ada@people.example' };
const LATE = completion({ ...GOOD, answer: 'Too late' });
let home: TestWorkspace;
let api: Api;

beforeAll(async () => {
  home = await desk(server);
  ({ api } = home);
});

beforeEach(async () => {
  model.forget();
  const openai_compatible = { base_url: model.at('/v1'), model: 'small', daily_token_budget: null };
  await set({ mode: 'auto_reply', provider: 'openai_compatible', openai_compatible, fallback_to_local: true });
});

const set = async (body: object): Promise<Fields> => (await api.patch('/ai-engine/settings', body)).expect(200).data;
const said = async ({ id }: Fields): Promise<unknown[]> => {
  await drained(server, home);
  const { rows } = await api.get(`/tickets/${id}/comments?author_type=ai&is_internal=false&sort=created_at`);
  return rows.map(({ body }) => body);
};
const asks = async (): Promise<Fields> => makeTicket(api, ASKED);
const adds = async ({ id }: Fields, body: object): Promise<void> => {
  (await api.post(`/tickets/${id}/comments`, body)).expect(201);
};
const ledIn = async ({ id }: Fields): Promise<Fields | undefined> =>
  (await api.get(`/ai-engine/conversations?ticket_id=${id}`)).rows[0];
const failures = async (): Promise<unknown[]> =>
  (await api.get('/ai-engine/calls')).expect(200).rows.map(({ failure }) => failure);
/** A ticket to which this happens while the model is asked about it, the first time. */
const asksWhile = async (work: (ticket: Fields) => Promise<unknown>): Promise<Fields> => {
  let isDone = false;
  let tell: (ticket: Fields) => void = () => undefined;
  const made = new Promise<Fields>((resolve) => (tell = resolve));
  model.answer(async () => {
    if (!isDone) await work(await made);
    isDone = true;
    return LATE;
  });
  const ticket = await asks();
  tell(ticket);
  return ticket;
};

it('answers tickets with what a model elsewhere writes, signed, and what their requesters say to that', async () => {
  model.answer(completion(GOOD));
  await set({ signature: 'Your desk' });
  const ticket = await asks();
  const signed = `${GOOD.answer}\n\nYour desk`;
  expect(await said(ticket)).toEqual([signed]);
  const first = { provider: 'openai_compatible', model: 'small', reply: GOOD.answer, tokens_in: 200, tokens_out: 20 };
  expect(await ledIn(ticket)).toMatchObject({
    ...first,
    answers: 1,
    confidence: 0.95,
    sources: [{ type: 'kb_article' }],
  });
  await adds(ticket, { body: QUESTION, author_type: 'requester' });
  expect(await said(ticket)).toEqual([signed, signed]);
  expect(await ledIn(ticket)).toMatchObject({ answers: 2, turns: 2, tokens_in: 400 });
  await adds(ticket, { body: 'Thanks, it works', author_type: 'requester' });
  expect(await said(ticket)).toHaveLength(2);
  expect(await ledIn(ticket)).toMatchObject({ status: 'resolved', resolution_state: 'confirmed' });
  expect(model.received('/v1/chat/completions')).toHaveLength(2);
  await set({ signature: null });
});

it('says nothing that cites nothing, or is not sure; a conversation goes to people then, with what it took', async () => {
  const ticket = await (async () => {
    model.answer(completion(GOOD));
    const begun = await asks();
    await said(begun);
    return begun;
  })();
  for (const bad of [{ citations: [] }, { citations: [9] }, { confidence: 0.2 }, { action: 'handover' }]) {
    model.answer(completion({ ...GOOD, ...bad, answer: 'OWNED' }));
    const other = await asks();
    expect([await said(other), await ledIn(other)]).toEqual([[], undefined]);
  }
  expect((await failures()).slice(0, 4)).toEqual(['declined', null, 'unknown_citation', 'no_citation']);
  model.answer(completion({ ...GOOD, citations: [] }));
  await adds(ticket, { body: QUESTION, author_type: 'requester' });
  expect(await said(ticket)).toEqual([GOOD.answer]);
  const over = { status: 'handed_over', handover_reason: 'no_sources', answers: 1, tokens_in: 400 };
  expect(await ledIn(ticket)).toMatchObject(over);
});

it('quotes where the model fails or its tokens are used up, unless it may not; asks nobody where nothing is found', async () => {
  const isQuoted = async (): Promise<boolean> => {
    const [answer] = await said(await asks());
    return String(answer).startsWith('Open the account page');
  };
  model.answer(429);
  expect(await isQuoted()).toBe(true);
  const asked = model.requests.length;
  await set({ openai_compatible: { daily_token_budget: 1 } });
  expect(await isQuoted()).toBe(true);
  expect((await failures()).slice(0, 2)).toEqual(['over_budget', 'rate_limited']);
  await set({ fallback_to_local: false });
  expect(await said(await asks())).toEqual([]);
  await set({ openai_compatible: { daily_token_budget: null } });
  expect(await said(await makeTicket(api, { ...ASKED, subject: UNKNOWN }))).toEqual([]);
  expect(model.requests).toHaveLength(asked);
});

describe('while the model is asked nothing is held, and what it writes', () => {
  const patched = (body: object) => asksWhile(({ id }) => api.patch(`/tickets/${id}`, body));
  const ruled = (values: string) =>
    asksWhile(({ id }) => sql.rows(`UPDATE tickets SET ${values} WHERE workspace_id = $1 AND id = $2`, [home.id, id]));

  it('is not said of a ticket that somebody changed: what is found of the ticket as it is takes its place', async () => {
    expect(await said(await patched({ subject: UNKNOWN }))).toEqual([]);
    expect(await said(await patched({ tags: 'seen' }))).toEqual([expect.stringMatching(/^Open the account page/)]);
    const answered = await asksWhile((ticket) => adds(ticket, { body: 'I am looking at it.' }));
    expect([await said(answered), await ledIn(answered)]).toEqual([[], undefined]);
  });

  it('is said of one that a rule changed, unless that takes it to people', async () => {
    const urgent = await ruled(`priority = 'urgent'`);
    expect([await said(urgent), await ledIn(urgent)]).toEqual([[], undefined]);
    expect(await said(await ruled(`tags = 'by-a-rule'`))).toEqual(['Too late']);
  });
});

it('answers so when an automation says it, whatever the mode; where somebody has answered, the rule fails', async () => {
  await set({ mode: 'suggest' });
  model.answer(completion(GOOD));
  const rule = await make(api, '/automations', { trigger: 'ticket.created', actions: [{ type: 'ai_reply' }] });
  expect(await said(await asks())).toEqual([GOOD.answer]);
  const resolved = await makeTicket(api, { ...ASKED, status: 'resolved' });
  expect(await said(resolved)).toEqual([]);
  const { rows } = await api.get(`/tickets/${resolved.id}/automation-runs`);
  expect(JSON.stringify(rows)).toContain('somebody has answered');
  (await api.delete(`/automations/${rule.id}`)).expect(200);
});
