import { Client } from 'pg';
import { heldOutLast } from '../../src/areas/ai-engine/model/held-out';
import { predict, train } from '../support/ai-models';
import type { Api, Fields } from '../support/api';
import { useApp } from '../support/app';
import { make, makeTicket } from '../support/cast';
import { deskTexts } from '../support/desk-texts';
import { drained } from '../support/jobs';
import { testServices } from '../support/services';
import { useSql } from '../support/sql';
import { until } from '../support/until';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

const NAMES = ['Printers', 'Passwords', 'Invoices'];
const TAGS = ['printing', 'login', 'billing'];
const PRINTER = 'The printer in the office has a paper jam and the toner prints stripes';
const WORDS = deskTexts(2_000);

let home: TestWorkspace;
let api: Api;
let categories: number[];

beforeAll(async () => {
  home = await makeWorkspace(server);
  ({ api } = home);
  categories = [];
  for (const name of NAMES) categories.push((await make(api, '/categories', { name })).id);
});

/** Closed tickets from one number on: a quarter missed its SLA, each took ten minutes to a hundred, one of five is of somebody important. */
async function closed(from: number, to: number): Promise<void> {
  const rows = Array.from({ length: to - from }, (_, at) => {
    const label = WORDS.labels[from + at] ?? 0;
    const tags = (from + at) % 5 === 0 ? `${TAGS[label]},vip` : TAGS[label];
    return { n: from + at, subject: WORDS.texts[from + at], category: categories[label], tags };
  });
  await sql.rows(
    `INSERT INTO tickets (workspace_id, number, code, subject, category_id, tags, status, sla_status, created_at, resolved_at)
     SELECT $1, 900000 + v.n, 'OLD-' || v.n, v.subject, v.category, v.tags, 'closed', CASE WHEN v.n % 4 = 0 THEN 'breached' ELSE 'met' END,
       now() - interval '9 days', now() - interval '9 days' + (v.n % 10 + 1) * interval '10 minutes'
     FROM json_to_recordset($2::json) AS v(n integer, subject text, category bigint, tags text) ORDER BY v.n`,
    [home.id, JSON.stringify(rows)],
  );
}

const told = async (): Promise<Map<unknown, Fields>> =>
  new Map((await predict(api, { text: PRINTER })).map((each) => [each.task, each]));

describe('a workspace that grows', () => {
  it('knows nothing with no ticket, and says so of everything', async () => {
    const none = await told();
    for (const task of ['category', 'priority', 'assignee', 'team', 'tags', 'sla_breach_risk', 'resolution_time'])
      expect(none.get(task)).toMatchObject({
        value: null,
        confidence: null,
        abstain_reason: 'insufficient_data',
        alternatives: [],
      });
    expect(none.get('duplicate')).toMatchObject({ value: null, abstain_reason: 'low_confidence' });
    expect(await train(api)).toMatchObject({ status: 'insufficient_data', samples: 0, evaluation: null });
    expect((await api.post('/ai-engine/retrieve', { query: PRINTER })).expect(200).data.hits).toEqual([]);
    expect((await api.get('/ai-engine/gaps')).expect(200).data.gaps).toEqual([]);
    const metrics = (await api.get('/ai-engine/metrics')).expect(200).data;
    const nothing = { value: null, numerator: 0, denominator: 0 };
    for (const task of metrics.tasks as Fields[])
      expect(task).toMatchObject({ predictions: 0, abstained_rate: nothing, coverage: nothing, accuracy: nothing });
  });

  it('knows with 20 tickets how long one takes, and no more', async () => {
    await closed(0, 20);
    const few = await told();
    expect(few.get('resolution_time')).toMatchObject({ value: '55', label: 'minutes that half of 20 tickets like it' });
    expect(few.get('sla_breach_risk')).toMatchObject({ value: null, abstain_reason: 'insufficient_data' });
    // What tickets like it have is shown, and never said.
    const near = few.get('category') as Fields;
    expect(near).toMatchObject({ value: null, abstain_reason: 'insufficient_data', method: 'knn', confidence: null });
    const alternatives = near.alternatives as { value: string; label: string; confidence: number }[];
    expect(alternatives[0]).toMatchObject({ value: String(categories[0]), label: 'Printers' });
    expect(Math.max(...alternatives.map(({ confidence }) => confidence))).toBeLessThanOrEqual(0.5);
    expect(few.get('team')).toMatchObject({ method: 'none', alternatives: [] });
    for (const task of ['category', 'tags'])
      expect(await train(api, task)).toMatchObject({
        status: 'insufficient_data',
        reason: 'There are 20 closed tickets that have a value; it takes 200.',
      });
  });

  it.each([200, 2_000])('knows with %i tickets what they tell, with figures that are theirs', async (count) => {
    await closed(count === 200 ? 20 : 200, count);
    const made = await train(api);
    const held = count - heldOutLast(WORDS.texts.slice(0, count).map((text) => `${text}\n`)).kept;
    const samples = categories.map((_, at) => WORDS.labels.slice(0, count).filter((label) => label === at).length);
    expect(made).toMatchObject({ status: 'ready', samples: count, evaluation: { n: held } });
    expect(new Map((made.classes as Fields[]).map((each) => [each.value, each.samples]))).toEqual(
      new Map(categories.map((id, at) => [String(id), samples[at]])),
    );
    expect((made.evaluation as Fields).accuracy).toBeGreaterThan(0.9);
    const now = await told();
    expect(now.get('category')).toMatchObject({ value: String(categories[0]), label: 'Printers', model_id: made.id });
    expect(now.get('resolution_time')).toMatchObject({
      value: '55',
      label: `minutes that half of ${count} tickets like it`,
      alternatives: [{ value: '82', label: `minutes that four fifths of ${count} tickets like it`, confidence: 0.8 }],
    });
    const label = `${count / 4} of ${count} tickets like it breached, ${count / 4} of all ${count}`;
    expect(now.get('sla_breach_risk')).toMatchObject({ value: 'met', confidence: 0.75, label });
    expect(now.get('priority')).toMatchObject({ value: null, abstain_reason: 'insufficient_data' });
    expect(await train(api, 'priority')).toMatchObject({
      status: 'insufficient_data',
      reason: 'Fewer than two values have 20 closed tickets; it takes two.',
    });
  });
});

it('learns from how tickets were what becomes of their SLA', async () => {
  const own = await makeWorkspace(server);
  // Those of high priority missed it, whatever the hour, which is another one in each run.
  await sql.rows(
    `INSERT INTO tickets (workspace_id, number, code, subject, priority, status, sla_status, created_at, resolved_at, sla_due_at)
     SELECT $1, 900000 + v.n, 'OLD-' || v.n, 'old', v.priority, 'closed', v.sla_status, v.at, v.at + CASE v.sla_status WHEN 'met' THEN interval '6 hours' ELSE interval '12 hours' END, v.at + interval '8 hours'
     FROM (SELECT n, CASE WHEN n % 2 = 0 THEN 'high' ELSE 'low' END AS priority, now() - n * interval '7 hours' AS at,
       CASE WHEN n % 2 = 0 THEN 'breached' ELSE 'met' END AS sla_status FROM generate_series(1, 600) n) v`,
    [own.id],
  );
  const made = await train(own.api, 'sla_breach_risk');
  expect(made).toMatchObject({ status: 'ready', task: 'sla_breach_risk', reason: null });
  // What was done before the moment that is looked at tells nothing.
  expect(made.samples).toBeLessThan(600);
  const risk = async (priority: string): Promise<Fields | undefined> => {
    const { id } = await makeTicket(own.api, { priority });
    return (await predict(own.api, { ticket_id: id, tasks: ['sla_breach_risk'] }))[0];
  };
  const high = await risk('high');
  const label = '300 of 300 tickets like it breached, 300 of all 600';
  expect(high).toMatchObject({ value: 'breached', label, method: made.method, model_id: made.id });
  expect((high?.features as Fields[]).map(({ token }) => token)).toContain('priorityhigh');
  expect(await risk('low')).toMatchObject({ value: 'met', model_id: made.id });
  // Of a text nothing is known but how often it happened.
  expect((await predict(own.api, { text: 'Printer', tasks: ['sla_breach_risk'] }))[0]).toMatchObject({
    method: 'base-rates',
  });
});

describe('tags', () => {
  it('are learnt each by itself: one that the words do not tell is never said', async () => {
    const made = await train(api, 'tags');
    expect(made).toMatchObject({ status: 'ready', samples: 2_000, reason: null });
    expect(new Map((made.classes as Fields[]).map(({ value, samples }) => [value, samples]))).toEqual(
      new Map([
        ['printing', 667],
        ['login', 667],
        ['billing', 666],
        ['vip', 400],
      ]),
    );
    const { accuracy, answered } = made.evaluation as { accuracy: number; answered: { accuracy: number } };
    expect(Math.min(accuracy, answered.accuracy)).toBeGreaterThan(0.9);
    const [printing] = await predict(api, { text: PRINTER, tasks: ['tags'] });
    expect(printing).toMatchObject({ value: 'printing', label: 'printing', status: 'pending', method: made.method });
    const [telling] = printing?.features as Fields[];
    expect(PRINTER.split(' ')).toContain(telling?.token);
    const [nothing] = await predict(api, { text: 'please help my team', tasks: ['tags'] });
    expect(nothing).toMatchObject({ value: null, abstain_reason: 'low_confidence' });
    expect(nothing?.alternatives).toHaveLength(3);
  });

  it('are right where the ticket has them, whatever else it has; reviews name several', async () => {
    const [ticket, other] = [await makeTicket(api, { subject: PRINTER }), await makeTicket(api, { subject: PRINTER })];
    const [first] = await predict(api, { ticket_id: ticket.id, tasks: ['tags'] });
    await predict(api, { ticket_id: other.id, tasks: ['tags'] });
    const review = `/ai-engine/predictions/${first?.id}/review`;
    expect((await api.post(review, { status: 'corrected', value: 'VIP , printing' })).expect(200).data).toMatchObject({
      actual_value: 'vip,printing',
      was_correct: true,
    });
    expect((await api.post(review, { status: 'corrected', value: 'x'.repeat(60) })).expect(422).codes).toEqual({
      value: 'max',
    });
    for (const [{ id }, tags] of [
      [ticket, 'vip,printing,intent__question'],
      [other, 'vip'],
    ] as const)
      (await api.patch(`/tickets/${id}`, { tags, status: 'resolved' })).expect(200);
    await drained(server, home);
    const outcomes = (await api.get('/ai-engine/predictions?task=tags')).expect(200).rows;
    const known = outcomes.map(({ ticket_id, actual_value, was_correct }) => [ticket_id, [actual_value, was_correct]]);
    expect(Object.fromEntries(known)).toEqual({
      [ticket.id]: ['vip,printing', true],
      [other.id]: ['vip', false],
    });
    const [metrics] = (await api.get('/ai-engine/metrics?task=tags')).data.tasks as Fields[];
    expect(metrics?.accuracy).toEqual({ value: 0.5, numerator: 1, denominator: 2 });
  });

  it('and intents are added to tickets by automations', async () => {
    const ofTags = { type: 'apply_prediction', task: 'tags', confidence: 'low' };
    const ofIntent = { type: 'apply_prediction', task: 'intent', confidence: 'low' };
    const actions = [ofTags, ofIntent];
    const rule = await make(api, '/automations', { trigger: 'ticket.predicted', actions, is_active: true });
    const ticket = await makeTicket(api, { subject: PRINTER, description: 'It does not work', tags: 'own' });
    await drained(server, home);
    expect((await api.get(`/tickets/${ticket.id}`)).data.tags).toBe('own,printing,intent__problem');
    (await api.delete(`/automations/${rule.id}`)).expect(200);
  });
});

describe('the intent of a ticket', () => {
  it.each([
    ['How can I order paper, and where? How long does it take?', 'question', 'rules'],
    ['The mail program crashes with an error and does not start', 'problem', 'rules'],
    ['Ich möchte mein Abonnement kündigen und mein Geld zurück, bitte erstatten Sie es mir', 'cancellation', 'rules'],
    ['Non riesco ad accedere: la password del mio account è scaduta e sono bloccato', 'access', 'rules'],
  ])('is told by rules at first: %s', async (text, value, method) => {
    const [said] = await predict(api, { text, tasks: ['intent'] });
    expect(said).toMatchObject({ value, method, model_id: null });
    expect(Number(said?.confidence)).toBeLessThanOrEqual(0.6);
  });

  it('is unknown of nothing that tells it, and in languages without rules', async () => {
    const [quiet] = await predict(api, { text: 'zeppelin 4711', tasks: ['intent'] });
    expect(quiet).toMatchObject({ value: null, abstain_reason: 'low_confidence' });
    const polish = 'Proszę o pomoc, drukarka nie działa już od tygodnia i nie mogę drukować, dziękuję';
    const [foreign] = await predict(api, { text: polish, tasks: ['intent'] });
    expect(foreign).toMatchObject({ value: null, abstain_reason: 'unsupported_language' });
  });

  it('is learnt from tags of the workspace and from reviews, its own values, too', async () => {
    const ticket = await makeTicket(api, { subject: PRINTER });
    const [said] = await predict(api, { ticket_id: ticket.id, tasks: ['intent'] });
    const review = `/ai-engine/predictions/${said?.id}/review`;
    expect((await api.post(review, { status: 'corrected', value: 'No Such!' })).expect(422).codes).toEqual({
      value: 'format',
    });
    (await api.post(review, { status: 'corrected', value: 'repair' })).expect(200);
    (await api.patch(`/tickets/${ticket.id}`, { status: 'resolved' })).expect(200);
    await sql.rows(
      `UPDATE tickets SET tags = tags || CASE number % 3 WHEN 0 THEN ',intent__repair' WHEN 1 THEN ',intent__unlock' ELSE '' END
       WHERE workspace_id = $1 AND number BETWEEN 900000 AND 900299`,
      [home.id],
    );
    const made = await train(api, 'intent');
    expect(made).toMatchObject({ status: 'ready', samples: 201 });
    expect((made.classes as Fields[]).map(({ value, samples }) => [value, samples])).toEqual([
      ['repair', 101],
      ['unlock', 100],
    ]);
    const [learnt] = await predict(api, { text: PRINTER, tasks: ['intent'] });
    expect(learnt).toMatchObject({ value: 'repair', model_id: made.id, method: made.method });
  });
});

describe('what came before there was a model', () => {
  it('is predicted when it is asked for: tickets that are worked on, each once', async () => {
    const other = await makeWorkspace(server);
    expect((await other.api.post('/ai-engine/backfill', {})).expect(202).data).toEqual({ tickets: 0 });
    await sql.rows(`DELETE FROM ai_predictions WHERE workspace_id = $1`, [home.id]);
    const open = (await api.get('/tickets?status=open,in_progress,on_hold')).expect(200).meta.total;
    expect(open).toBeGreaterThan(0);
    expect((await api.post('/ai-engine/backfill', {})).expect(202).data).toEqual({ tickets: open });
    await drained(server, home);
    const made = (await api.get('/ai-engine/predictions?task=category')).expect(200);
    expect(made.meta.total).toBe(open);
    expect(new Set(made.rows.map(({ ticket_id }) => ticket_id)).size).toBe(made.rows.length);
    expect((await api.post('/ai-engine/backfill', {})).expect(202).data).toEqual({ tickets: 0 });
    expect((await other.api.get('/ai-engine/predictions')).meta.total).toBe(0);
    (await api.patch('/ai-engine/settings', { mode: 'off' })).expect(200);
    expect((await api.post('/ai-engine/backfill', {})).expect(422).codes).toEqual({ mode: 'not_allowed' });
    (await api.patch('/ai-engine/settings', { mode: 'suggest' })).expect(200);
  });
});

it('keeps what is true of the text that a ticket has by then, however long a prediction of an older one took', async () => {
  const { api: own } = await makeWorkspace(server);
  const english = 'The printer in the hall is broken and we cannot print the letters of this week';
  const italian = 'La stampante del corridoio non funziona e non possiamo stampare le lettere di questa settimana';
  const ticket = await makeTicket(own, { subject: 'Help', description: english });
  const change = new Client({ connectionString: testServices().adminUrl });
  await change.connect();
  try {
    const { rows } = await change.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await change.query('BEGIN');
    const text = 'UPDATE tickets SET description = $2, version = version + 1 WHERE id = $1';
    await change.query(text, [ticket.id, italian]);
    const asked = predict(own, { ticket_id: ticket.id, tasks: ['language'] });
    await until('it waits for the ticket', async () => {
      const held = 'SELECT FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))';
      return (await sql.rows(held, [rows[0]?.pid])).length > 0;
    });
    await change.query('COMMIT');
    expect(await asked).toMatchObject([{ task: 'language', value: 'it' }]);
  } finally {
    await change.end();
  }
  const kept = (await own.get(`/ai-engine/predictions?ticket_id=${ticket.id}`)).expect(200).rows;
  expect(kept).toMatchObject([{ value: 'it', status: 'pending' }]);
});
