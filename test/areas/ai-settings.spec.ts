import { publish, QUESTION, start } from '../support/ai-conversations';
import { predict, train } from '../support/ai-models';
import { completion, GOOD } from '../support/ai-provider';
import type { Api, Fields } from '../support/api';
import { useApp } from '../support/app';
import { make, makeTicket } from '../support/cast';
import { deskTexts } from '../support/desk-texts';
import { eventsOf } from '../support/event-log';
import { drained, runJob } from '../support/jobs';
import { useReceiver } from '../support/receiver';
import { useSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
const BODY = 'Open the account page and choose Reset password. A link is sent to your phone.';
const ASKED = { subject: 'How can I reset my password?', requester_email: 'ada@people.example' };
const REPLY = 'Your password was reset by hand: choose another one today.';
let home: TestWorkspace;
let api: Api;

beforeEach(async () => {
  home = await makeWorkspace(server);
  ({ api } = home);
  await publish(api, 'Reset your password', BODY);
});

const set = async (body: object): Promise<Fields> => (await api.patch('/ai-engine/settings', body)).expect(200).data;

describe('what answers are taken of', () => {
  const suggested = async (id: number): Promise<Fields[]> =>
    (await api.post('/ai-engine/suggest-reply', { ticket_id: id })).expect(200).data.sources as Fields[];

  it('is what the settings say: articles, replies to resolved tickets, internal articles, none that is too old', async () => {
    const old = await makeTicket(api, { ...ASKED, subject: 'I cannot reset my password' });
    (await api.post(`/tickets/${old.id}/comments`, { body: REPLY })).expect(201);
    (await api.patch(`/tickets/${old.id}`, { status: 'resolved' })).expect(200);
    const secret = { title: 'Reset passwords of customers', body: 'How to reset a password: ask two colleagues.' };
    const published = { ...secret, status: 'published', visibility: 'internal' };
    const internal = (await api.post('/kb/articles', published)).expect(201).data;
    const { id } = await makeTicket(api, ASKED);
    const kinds = async (): Promise<unknown[]> => [
      ...new Set(
        (await suggested(id)).map(({ type, id: of }) =>
          type === 'kb_article' && of === internal.id ? 'internal' : type,
        ),
      ),
    ];
    expect(await set({})).toMatchObject({
      sources: { kb_articles: true, resolved_tickets: true, internal_articles: false, max_age_days: null },
    });
    expect((await kinds()).sort()).toEqual(['kb_article', 'ticket']);
    await set({ sources: { resolved_tickets: false } });
    expect(await kinds()).toEqual(['kb_article']);
    expect(await set({ sources: { internal_articles: true } })).toMatchObject({ sources: { resolved_tickets: false } });
    expect(await kinds()).toContain('internal');
    await set({ sources: { kb_articles: false, resolved_tickets: true } });
    expect(await kinds()).toEqual(['ticket']);
    expect(await start(api, QUESTION)).toMatchObject({ action: 'clarify', sources: [] });
    await set({ sources: { kb_articles: true, max_age_days: 30 } });
    await sql.rows(`UPDATE kb_articles SET updated_at = now() - interval '31 days' WHERE workspace_id = $1`, [home.id]);
    expect(await kinds()).toEqual(['ticket']);
    expect(await start(api, QUESTION)).toMatchObject({ action: 'clarify', sources: [] });
    await sql.rows(`UPDATE ticket_comments SET created_at = now() - interval '31 days' WHERE workspace_id = $1`, [
      home.id,
    ]);
    expect(await kinds()).toEqual([]);
    await set({ sources: { max_age_days: null } });
    expect(await start(api, QUESTION)).toMatchObject({ action: 'answer' });
    expect((await api.patch('/ai-engine/settings', { sources: { wikis: true } })).expect(422).codes).toHaveProperty([
      'sources.wikis',
    ]);
  });

  it('is answered in tickets of the categories of the settings, signed', async () => {
    const [billing, other] = [await make(api, '/categories'), await make(api, '/categories')];
    const unknown = await api.patch('/ai-engine/settings', { categories: [8_999_999] });
    expect(unknown.expect(422).codes).toHaveProperty('categories');
    await set({ mode: 'auto_reply', categories: [billing.id], signature: 'Your service desk' });
    const said = async (more: object): Promise<Fields[]> => {
      const { id } = await makeTicket(api, { ...ASKED, ...more });
      await drained(server, home);
      return (await api.get(`/tickets/${id}/comments?author_type=ai`)).rows;
    };
    const [answer] = await said({ category_id: billing.id });
    expect(answer?.body).toMatch(/^Open the account page .*\n\nYour service desk$/);
    expect(await said({ category_id: other.id })).toEqual([]);
    expect(await said({})).toEqual([]);
    const ticket = await makeTicket(api, { category_id: other.id });
    expect(await start(api, QUESTION, { ticket_id: ticket.id })).toMatchObject({ handover_reason: 'rule' });
    expect(await start(api, QUESTION)).toMatchObject({
      action: 'answer',
      reply: expect.not.stringContaining('desk') as string,
    });
  });
});

describe('a provider', () => {
  const model = useReceiver();

  beforeEach(async () => {
    model.forget();
    const openai_compatible = { base_url: model.at('/v1'), model: 'small', input_price: 3, output_price: 10 };
    await set({ provider: 'openai_compatible', openai_compatible, tone: 'Short and friendly.' });
  });

  it('is told the tone, and what it takes is counted, with what it costs, where it fails, too', async () => {
    model.answer(completion(GOOD));
    const begun = await start(api, QUESTION);
    expect(begun).toMatchObject({ model: 'small', tokens_in: 200, tokens_out: 20, cost: 0.0008 });
    expect(begun.latency_ms).toEqual(expect.any(Number));
    const sent = JSON.parse(model.requests.at(-1)?.body ?? '{}') as { messages: { content: string }[] };
    expect(sent.messages[0]?.content).toMatch(/How to write: Short and friendly\.$/);
    model.answer({ status: 200, body: JSON.stringify({ usage: { prompt_tokens: 100, completion_tokens: 0 } }) });
    const again = (await api.post(`/ai-engine/conversations/${begun.id}/messages`, { message: QUESTION })).expect(200);
    expect(again.data).toMatchObject({ provider: 'local', model: null, tokens_in: 300, tokens_out: 20, cost: 0.0011 });
    const { usage } = (await api.get('/ai-engine/metrics')).data.conversations as { usage: Fields[] };
    expect(usage).toMatchObject([
      { provider: 'local', requests: 1, fallback_count: 0, cost: 0 },
      { provider: 'openai_compatible', requests: 2, tokens_in: 300, failed: 1, fallback_count: 1, cost: 0.0011 },
    ]);
    expect((await api.get('/ai-engine/calls')).rows).toMatchObject([
      { failure: 'malformed', fell_back: true, cost: 0.0003 },
      { failure: null, fell_back: false, cost: 0.0008 },
    ]);
    expect(await set({})).toMatchObject({
      usage: { tokens_today: 320, tokens_month: 320, requests_month: 2, cost_month: 0.0011 },
    });
    await set({ openai_compatible: { input_price: null, output_price: null } });
    model.answer(completion(GOOD));
    expect(await start(api, QUESTION)).toMatchObject({ tokens_in: 200, cost: null });
  });

  it('is asked as long as the tokens of the month last', async () => {
    model.answer(completion(GOOD));
    await set({ max_tokens_month: 220 });
    expect(await start(api, QUESTION)).toMatchObject({ provider: 'openai_compatible' });
    expect(await start(api, QUESTION)).toMatchObject({ provider: 'local', action: 'answer', tokens_in: 0 });
    await sql.rows(`UPDATE ai_calls SET created_at = created_at - interval '32 days' WHERE workspace_id = $1`, [
      home.id,
    ]);
    expect(await start(api, QUESTION)).toMatchObject({ provider: 'openai_compatible' });
    expect(model.received('/v1/chat/completions')).toHaveLength(2);
  });

  it('is asked by a test of the settings, which says how that went', async () => {
    const tried = async (): Promise<Fields> => (await api.post('/ai-engine/settings/test', {})).expect(200).data;
    model.answer(completion({ ...GOOD, answer: 'Green.' }));
    expect(await tried()).toMatchObject({
      ...{ provider: 'openai_compatible', ok: true },
      asked: { ok: true, model: 'small', failure: null, tokens: 220 },
    });
    model.answer(401);
    expect(await tried()).toMatchObject({ ok: false, asked: { ok: false, failure: 'http_error', tokens: 0 } });
    await set({ enabled: false });
    expect(await tried()).toMatchObject({ ok: false, asked: null });
    expect(model.received('/v1/chat/completions')).toHaveLength(2);
    await set({ enabled: true, provider: 'local' });
    expect(await tried()).toMatchObject({ provider: 'local', ok: true, asked: null });
  });
});

describe('a model', () => {
  const { texts, labels } = deskTexts(220);

  /** Tickets that were rated: those about passwords badly. */
  async function rated(): Promise<void> {
    const rows = texts.map((subject, n) => ({ n, subject, score: labels[n] === 1 ? 1 + (n % 2) : 4 + (n % 2) }));
    await sql.rows(
      `INSERT INTO tickets (workspace_id, number, code, subject, status, csat_score, resolved_at)
       SELECT $1, 900000 + v.n, 'OLD-' || v.n, v.subject, 'closed', v.score, now() FROM json_to_recordset($2::json) AS v(n integer, subject text, score integer)`,
      [home.id, JSON.stringify(rows)],
    );
  }

  it('tells whether a customer is going to be content, and is told when they rated', async () => {
    const unknown = await predict(api, { text: ASKED.subject, tasks: ['csat_risk'] });
    expect(unknown).toMatchObject([{ status: 'abstained', abstain_reason: 'insufficient_data' }]);
    await rated();
    const made = await train(api, 'csat_risk');
    expect(made).toMatchObject({ status: 'ready', samples: 220, drifted_at: null });
    // Whatever else is due to be learnt of these tickets may have been begun meanwhile.
    const state = ((await set({})).training as Fields[]).find(({ task }) => task === 'csat_risk');
    expect(state).toMatchObject({ status: 'ready', samples: 220, classes: 2 });
    expect(Date.parse(String(state?.next_run_at)) - Date.parse(String(state?.trained_at))).toBe(20 * 3_600_000);
    const ticket = await makeTicket(api, { subject: texts[1] ?? '' });
    const [said] = await predict(api, { ticket_id: ticket.id, tasks: ['csat_risk'] });
    expect(said).toMatchObject({ value: 'dissatisfied', label: 'dissatisfied', model_id: made.id });
    (await api.patch(`/tickets/${ticket.id}`, { status: 'resolved' })).expect(200);
    await drained(server, home);
    const kept = async (): Promise<Fields> => (await api.get(`/ai-engine/predictions/${Number(said?.id)}`)).data;
    expect(await kept()).toMatchObject({ actual_value: null, was_correct: null });
    (await api.post(`/tickets/${ticket.id}/rate`, { score: 2 })).expect(200);
    await drained(server, home);
    expect(await kept()).toMatchObject({ actual_value: 'dissatisfied', was_correct: true });
    const path = `/ai-engine/predictions/${Number(said?.id)}/review`;
    const wrong = await api.post(path, { status: 'corrected', value: 'furious' });
    expect(wrong.expect(422).codes).toEqual({ value: 'enum' });
    (await api.post(path, { status: 'corrected', value: 'satisfied' })).expect(200);
    const rule = { name: 'x', trigger: 'ticket.created', actions: [{ type: 'apply_prediction', task: 'csat_risk' }] };
    (await api.post('/automations', rule)).expect(422);
  });

  it('that is worse than it said is noticed once, told, and made again', async () => {
    await rated();
    const made = await train(api, 'csat_risk');
    const predicted = (right: number, wrong: number): Promise<unknown> =>
      sql.rows(
        `INSERT INTO ai_predictions (workspace_id, ticket_id, task, value, label, confidence, method, model_id, input_hash, actual_value, was_correct)
         SELECT $1, (SELECT min(id) FROM tickets WHERE workspace_id = $1), 'csat_risk', 'satisfied', 'satisfied', 0.9, 'tfidf-svm', $2, 'x', 'satisfied', n > $4
         FROM generate_series(1, $3::integer + $4::integer) n`,
        [home.id, made.id, right, wrong],
      );
    const now = async (): Promise<Fields> => (await api.get(`/ai-engine/models/${made.id}`)).data;
    await predicted(59, 1);
    await runJob(server, 'drift-of-ai-models');
    expect(await now()).toMatchObject({ status: 'ready', drifted_at: null });
    await predicted(10, 40);
    await runJob(server, 'drift-of-ai-models');
    await drained(server, home);
    await runJob(server, 'drift-of-ai-models');
    await drained(server, home);
    expect(await now()).toMatchObject({ status: 'retired', drifted_at: expect.any(String) as string });
    const types = (await eventsOf(server, home, 'ai_model', made.id)).map(({ type }) => type);
    expect(types).toEqual(['ai_model.created', 'ai_model.trained', 'ai_model.drifted']);
    expect((await api.get('/ai-engine/models?task=csat_risk&status=ready')).rows).toHaveLength(1);
  });
});
