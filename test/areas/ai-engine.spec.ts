import type { Api, Fields } from '../support/api';
import { predict, train } from '../support/ai-models';
import { useApp } from '../support/app';
import { make, makeTicket, makeUser } from '../support/cast';
import { deskTexts } from '../support/desk-texts';
import { eventsOf } from '../support/event-log';
import { drained, runJob } from '../support/jobs';
import { useSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

const NAMES = ['Printers', 'Passwords', 'Invoices'];
const PRINTER = 'The printer in the office has a paper jam and the toner prints stripes';

/** Closes tickets about three categories, in turns. */
async function closeTickets(api: Api, count: number): Promise<Fields[]> {
  const categories: Fields[] = [];
  for (const name of NAMES) categories.push(await make(api, '/categories', { name }));
  const { texts, labels } = deskTexts(count);
  const operations = texts.map((text, at) => ({
    op: 'create',
    data: {
      subject: text.slice(0, 100),
      description: text,
      status: 'closed',
      category_id: categories[labels[at] ?? 0]?.id,
    },
  }));
  for (let from = 0; from < count; from += 50)
    (await api.post('/tickets/batch', { operations: operations.slice(from, from + 50) })).expect(200);
  return categories;
}

describe('a workspace with too few closed tickets', () => {
  let api: Api;

  beforeAll(async () => {
    ({ api } = await makeWorkspace(server));
    await closeTickets(api, 20);
  });

  it('is told that there is too little to learn from, and that nothing is known yet', async () => {
    expect((await api.get('/ai-engine/settings')).expect(200).data).toMatchObject({
      enabled: true,
      mode: 'suggest',
      thresholds: { classify: 0.6, suggest: 0.45 },
      tasks: { category: true, language: true },
      training: [],
    });
    const model = await train(api);
    expect(model).toMatchObject({ status: 'insufficient_data', samples: 0, evaluation: null, method: null });
    expect(model.reason).toBe('There are 20 closed tickets that have a value; it takes 200.');
    const { training } = (await api.get('/ai-engine/settings')).data;
    expect(training).toMatchObject([{ task: 'category', status: 'insufficient_data', model_id: model.id }]);
    const tasks = (await api.get('/ai-engine/metrics')).expect(200).data.tasks as Fields[];
    expect(tasks.every(({ predictions, accuracy }) => predictions === 0 && (accuracy as Fields).value === null)).toBe(
      true,
    );
  });

  it('abstains from what it has not learnt, and says what it can', async () => {
    const predictions = await predict(api, { text: `Hello, ${PRINTER}. This is not good, please help us.` });
    const told = new Map(predictions.map((prediction) => [prediction.task, prediction]));
    for (const task of ['category', 'priority', 'assignee', 'team'])
      expect(told.get(task)).toMatchObject({ status: 'abstained', abstain_reason: 'insufficient_data', value: null });
    expect(told.get('language')).toMatchObject({ value: 'en', method: 'function-words', id: null });
    expect(told.get('sentiment')).toMatchObject({ method: 'lexicon' });
    expect(told.get('sla_breach_risk')).toMatchObject({ status: 'abstained', abstain_reason: 'insufficient_data' });
    expect(told.get('resolution_time')).toMatchObject({ label: 'minutes that half of 20 tickets like it' });
    expect((await api.get('/ai-engine/predictions')).meta.total).toBe(0);
  });

  it('is refused what makes no sense', async () => {
    const refused = async (path: string, body: object): Promise<object> =>
      (await api.post(path, body)).expect(422).codes;
    expect(await refused('/ai-engine/predict', {})).toEqual({ ticket_id: 'required' });
    expect(await refused('/ai-engine/predict', { ticket_id: 1, text: 'x' })).toEqual({ text: 'conflict' });
    expect(await refused('/ai-engine/predict', { ticket_id: 8_999_999 })).toEqual({ ticket_id: 'not_found' });
    expect(await refused('/ai-engine/predict', { text: 'x', tasks: ['mood'] })).toHaveProperty('tasks');
    expect(await refused('/ai-engine/train', { tasks: ['language'] })).toHaveProperty('tasks');
    await api.patch('/ai-engine/settings', { thresholds: { classify: 2 } }).then((answer) => answer.expect(422));
  });
});

describe('a workspace that has closed tickets', () => {
  let home: TestWorkspace;
  let api: Api;
  let categories: Fields[];
  let model: Fields;

  beforeAll(async () => {
    home = await makeWorkspace(server);
    ({ api } = home);
    categories = await closeTickets(api, 240);
    model = await train(api);
  });

  it('has a model that says how good it is', async () => {
    expect(model).toMatchObject({ task: 'category', status: 'ready', samples: 240, reason: null });
    expect(model.method).toMatch(/^tfidf-svm\/\d{4}-\d{2}-\d{2}$/);
    const known = model.classes as { value: string; samples: number }[];
    expect(new Set(known.map(({ value }) => value))).toEqual(new Set(categories.map(({ id }) => String(id))));
    expect(known.map(({ samples }) => samples)).toEqual([80, 80, 80]);
    const { n, calibration, ...evaluation } = model.evaluation as { n: number; calibration: { n: number }[] };
    expect(evaluation).toMatchObject({ accuracy: expect.any(Number) as number, ece: expect.any(Number) as number });
    expect(calibration.reduce((sum, bin) => sum + bin.n, 0)).toBe(n);
    const types = (await eventsOf(server, home, 'ai_model', model.id)).map(({ type }) => type);
    expect(types).toEqual(['ai_model.created', 'ai_model.trained']);
  });

  it('predicts a ticket, explains it, keeps it, and says the same once', async () => {
    const ticket = await makeTicket(api, { subject: PRINTER });
    const [category] = await predict(api, { ticket_id: ticket.id, tasks: ['category'] });
    expect(category).toMatchObject({
      value: String(categories[0]?.id),
      label: 'Printers',
      method: model.method,
      model_id: model.id,
      status: 'pending',
    });
    expect((category?.features as Fields[]).map(({ token }) => token)).toContain('printer');
    const [again] = await predict(api, { ticket_id: ticket.id, tasks: ['category'] });
    expect(again?.id).toBe(category?.id);
    const asked = { ticket_id: ticket.id, task: 'category' };
    expect((await api.post('/ai-engine/predictions', asked)).expect(201).data.id).toBe(category?.id);
    const stored = (await api.get(`/ai-engine/predictions/${category?.id}?expand=ticket`)).expect(200).data;
    expect(stored).toMatchObject({ ticket_id: ticket.id, value: String(categories[0]?.id), was_correct: null });
    (await api.patch(`/tickets/${ticket.id}`, { subject: 'My password is expired and the account is locked' })).expect(
      200,
    );
    const [changed] = await predict(api, { ticket_id: ticket.id, tasks: ['category'] });
    expect(changed?.label).toBe('Passwords');
    expect((await api.get(`/ai-engine/predictions/${category?.id}`)).data.status).toBe('expired');
    const types = (await eventsOf(server, home, 'ai_prediction', Number(category?.id))).map(({ type }) => type);
    expect(types).toEqual(['ai_prediction.created', 'ai_prediction.expired']);
  });

  it('abstains where it is not sure, and says what it could be', async () => {
    (await api.patch('/ai-engine/settings', { thresholds: { classify: 1 } })).expect(200);
    const [unsure] = await predict(api, { text: 'please help my team', tasks: ['category'] });
    expect(unsure).toMatchObject({ status: 'abstained', abstain_reason: 'low_confidence', value: null });
    expect(unsure?.alternatives).toHaveLength(3);
    (await api.patch('/ai-engine/settings', { thresholds: { classify: 0.6 } })).expect(200);
  });

  it('predicts new tickets by itself, and learns what was true when they are resolved', async () => {
    const [printers, passwords] = categories;
    const right = await makeTicket(api, { subject: PRINTER });
    const wrong = await makeTicket(api, { subject: PRINTER });
    await drained(server, home);
    const of = async ({ id }: Fields): Promise<Fields | undefined> =>
      (await api.get(`/ai-engine/predictions?ticket_id=${id}&task=category`)).rows[0];
    expect(await of(right)).toMatchObject({ value: String(printers?.id), status: 'pending', actual_value: null });
    expect((await api.get(`/ai-engine/predictions?ticket_id=${wrong.id}&task=duplicate`)).rows[0]).toMatchObject({
      value: String(right.id),
    });
    for (const [ticket, category] of [
      [right, printers],
      [wrong, passwords],
    ] as const)
      (await api.patch(`/tickets/${ticket.id}`, { status: 'resolved', category_id: category?.id })).expect(200);
    await drained(server, home);
    expect(await of(right)).toMatchObject({ actual_value: String(printers?.id), was_correct: true });
    expect(await of(wrong)).toMatchObject({ actual_value: String(passwords?.id), was_correct: false });
    const tasks = (await api.get('/ai-engine/metrics?task=category')).data.tasks as Fields[];
    expect(tasks).toHaveLength(1);
    expect(tasks[0]?.accuracy).toEqual({ value: 0.5, numerator: 1, denominator: 2 });
  });

  it('is applied by automations that wait for it, when it is sure enough', async () => {
    const action = { type: 'apply_prediction', task: 'category', confidence: 'medium' };
    const rule = await make(api, '/automations', { trigger: 'ticket.predicted', actions: [action], is_active: true });
    const ticket = await makeTicket(api, { subject: PRINTER });
    await drained(server, home);
    expect((await api.get(`/tickets/${ticket.id}`)).data.category_id).toBe(categories[0]?.id);
    const [prediction] = (await api.get(`/ai-engine/predictions?ticket_id=${ticket.id}&task=category`)).rows;
    expect(prediction).toMatchObject({ status: 'applied', applied_at: expect.any(String) as string });
    const types = (await eventsOf(server, home, 'ticket', ticket.id)).map(({ type }) => type);
    expect(types).toContain('ticket.predicted');
    const unknown = { ...action, task: 'language' };
    (await api.patch(`/automations/${rule.id}`, { actions: [unknown] })).expect(422);
    (await api.delete(`/automations/${rule.id}`)).expect(200);
  });

  it('is reviewed: accepted, corrected or rejected, by whom and once it is there', async () => {
    const ticket = await makeTicket(api, { subject: PRINTER });
    const [category] = await predict(api, { ticket_id: ticket.id, tasks: ['category'] });
    const path = `/ai-engine/predictions/${category?.id}/review`;
    expect((await api.post(path, { status: 'corrected' })).expect(422).codes).toEqual({ value: 'required' });
    expect((await api.post(path, { status: 'corrected', value: '8999999' })).expect(422).codes).toEqual({
      value: 'not_found',
    });
    expect((await api.post(path, { status: 'accepted', value: 'x' })).expect(422).codes).toEqual({
      value: 'not_allowed',
    });
    const value = String(categories[2]?.id);
    expect((await api.post(path, { status: 'corrected', value })).expect(200).data).toMatchObject({
      status: 'corrected',
      actual_value: value,
      was_correct: false,
    });
    expect((await api.post(path, { status: 'accepted' })).expect(200).data).toMatchObject({ was_correct: true });
    const [priority] = await predict(api, { ticket_id: ticket.id, tasks: ['priority'] });
    const abstained = `/ai-engine/predictions/${priority?.id}/review`;
    expect((await api.post(abstained, { status: 'accepted' })).expect(422).codes).toEqual({ status: 'abstained' });
    expect((await api.post(abstained, { status: 'corrected', value: 'high' })).expect(200).data).toMatchObject({
      actual_value: 'high',
      was_correct: null,
    });
  });

  it('says what categories are called now', async () => {
    const asked = { text: PRINTER, tasks: ['category'] };
    const [before] = await predict(api, asked);
    const rename = async (name: unknown): Promise<void> => {
      (await api.patch(`/categories/${before?.value as string}`, { name })).expect(200);
    };
    await rename('Paper and toner');
    expect(await predict(api, asked)).toMatchObject([{ ...before, label: 'Paper and toner' }]);
    await rename(before?.label);
  });

  it('says no category that is gone', async () => {
    const text = 'The invoice shows the wrong amount and the payment was charged twice, refund please';
    expect((await predict(api, { text, tasks: ['category'] }))[0]?.label).toBe('Invoices');
    (await api.delete(`/categories/${categories[2]?.id}?reassign_to=${categories[1]?.id}`)).expect(200);
    expect((await predict(api, { text, tasks: ['category'] }))[0]?.value).not.toBe(String(categories[2]?.id));
  });

  it('is made again by itself, a day later and when there is more to learn from, and the old one retires', async () => {
    await sql.rows(
      `UPDATE ai_models SET trained_at = now() - interval '1 day', updated_at = now() - interval '1 day' WHERE id = $1`,
      [model.id],
    );
    await runJob(server, 'train-ai-models');
    expect((await api.get('/ai-engine/models?task=category')).meta.total).toBe(2);
    await drained(server, home);
    expect((await api.get(`/ai-engine/models/${model.id}`)).data).toMatchObject({ status: 'retired', bytes: 0 });
    expect((await api.get('/ai-engine/models?task=category&status=ready')).meta.total).toBe(1);
    const parts = await sql.rows('SELECT FROM ai_model_parts WHERE model_id = $1', [model.id]);
    expect(parts).toEqual([]);
    expect((await predict(api, { text: PRINTER, tasks: ['category'] }))[0]?.label).toBe('Printers');
  });

  it('does nothing when it is switched off, and only what is asked for when it is not to act by itself', async () => {
    (await api.patch('/ai-engine/settings', { mode: 'off' })).expect(200);
    const ticket = await makeTicket(api, { subject: PRINTER });
    await drained(server, home);
    expect((await api.get(`/ai-engine/predictions?ticket_id=${ticket.id}`)).meta.total).toBe(0);
    expect(await predict(api, { ticket_id: ticket.id, tasks: ['language'] })).toHaveLength(1);
    (await api.patch('/ai-engine/settings', { enabled: false, tasks: { team: false } })).expect(200);
    expect((await api.get('/ai-engine/settings')).data.tasks).toMatchObject({ team: false, category: true });
    expect((await api.post('/ai-engine/predict', { text: 'x' })).expect(422).codes).toEqual({ tasks: 'not_allowed' });
    expect((await api.post('/ai-engine/train', {})).expect(422).codes).toEqual({ tasks: 'not_allowed' });
  });
});

it('predicts nobody who is not active any more', async () => {
  const { api } = await makeWorkspace(server);
  const agents = [await makeUser(api), await makeUser(api)];
  const { texts, labels } = deskTexts(240);
  const operations = texts.map((text, at) => ({
    op: 'create',
    data: { subject: text, status: 'closed', assigned_to: agents[(labels[at] ?? 0) % 2]?.id },
  }));
  for (let from = 0; from < 240; from += 50)
    (await api.post('/tickets/batch', { operations: operations.slice(from, from + 50) })).expect(200);
  const model = await train(api, 'assignee');
  expect(model.status).toBe('ready');
  const text = 'password login account locked reset expired access signin';
  const asked = { text, tasks: ['assignee'] };
  expect((await predict(api, asked))[0]?.value).toBe(String(agents[1]?.id));
  (await api.patch(`/users/${agents[1]?.id}`, { status: 'suspended' })).expect(200);
  const [now] = await predict(api, asked);
  expect(now?.value).not.toBe(String(agents[1]?.id));
});

it('begins one training of a task at a time, and gives up what nobody ends', async () => {
  const workspace = await makeWorkspace(server);
  const [begun] = await sql.rows<{ id: number }>(
    `INSERT INTO ai_models (workspace_id, task, status, updated_at) VALUES ($1, 'category', 'training', now()) RETURNING id`,
    [workspace.id],
  );
  const start = async (): Promise<Fields[]> =>
    (await workspace.api.post('/ai-engine/train', { tasks: ['category'] })).expect(202).data.models as Fields[];
  expect(await start()).toMatchObject([{ id: begun?.id, status: 'training' }]);
  await sql.rows(`UPDATE ai_models SET updated_at = now() - interval '7 hours' WHERE id = $1`, [begun?.id]);
  const [next] = await start();
  expect(next?.id).not.toBe(begun?.id);
  expect((await workspace.api.get(`/ai-engine/models/${begun?.id}`)).data.status).toBe('failed');
});
