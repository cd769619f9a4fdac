import fc from 'fast-check';
import { groupQuestions } from '../../src/areas/ai-engine/gaps/group-questions';
import { anyText } from '../support/any-text';
import type { Api, Fields } from '../support/api';
import { useApp } from '../support/app';
import { make, makeTicket } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { drained } from '../support/jobs';
import { makePerson } from '../support/people';
import { useSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

const BODY = 'Open the account page and choose Reset password. A link is sent to your phone.';
const ASKED = { subject: 'Reset my password', requester_email: 'ada@people.example' };
let home: TestWorkspace;
let api: Api;

beforeEach(async () => {
  home = await makeWorkspace(server);
  ({ api } = home);
  (await api.post('/kb/articles', { title: 'Reset your password', body: BODY, status: 'published' })).expect(201);
});

async function commentsOf({ id }: Fields, authors: string): Promise<Fields[]> {
  await drained(server, home);
  return (await api.get(`/tickets/${id}/comments?author_type=${authors}`)).expect(200).rows;
}

async function ledIn({ id }: Fields): Promise<Fields | undefined> {
  await drained(server, home);
  return (await api.get(`/ai-engine/conversations?ticket_id=${id}`)).rows[0];
}

async function customerSays({ id }: Fields, body: string): Promise<void> {
  (await api.post(`/tickets/${id}/comments`, { body, author_type: 'requester' })).expect(201);
}

describe('a workspace in which the engine answers by itself', () => {
  beforeEach(async () => {
    (await api.patch('/ai-engine/settings', { mode: 'auto_reply' })).expect(200);
  });

  it('has new tickets answered where a source is sure enough, in a comment that says whose it is', async () => {
    const ticket = await makeTicket(api, ASKED);
    const [answer, ...others] = await commentsOf(ticket, 'ai');
    expect(others).toEqual([]);
    expect(answer).toMatchObject({ is_internal: false, author_type: 'ai', author_name: 'AI engine' });
    expect(BODY).toContain(String(answer?.body).split('\n\n')[0]);
    const led = await ledIn(ticket);
    expect(led).toMatchObject({ action: 'answer', reply: answer?.body, status: 'awaiting_user_reply', answers: 1 });
    expect(led?.started_at).toBe(ticket.created_at);
    expect((await api.get(`/tickets/${ticket.id}`)).data.status).toBe('open');
    const refused = await api.post(`/ai-engine/conversations/${led?.id}/messages`, { message: 'x' });
    expect(refused.expect(422).codes).toEqual({ message: 'in_ticket' });
  });

  it('has nothing said where it is not sure, nobody asked, or the channel is not its', async () => {
    const tickets = [
      await makeTicket(api, { ...ASKED, subject: 'Which zeppelin flies to Samarkand?' }),
      await makeTicket(api, { subject: ASKED.subject }),
      await makeTicket(api, { ...ASKED, channel: 'email' }),
      await makeTicket(api, { ...ASKED, priority: 'urgent' }),
      await makeTicket(api, { ...ASKED, status: 'resolved' }),
    ];
    for (const ticket of tickets)
      expect([await commentsOf(ticket, 'ai'), await ledIn(ticket)]).toEqual([[], undefined]);
  });

  it('resolves what the customer says was right, and takes that back when they return', async () => {
    const ticket = await makeTicket(api, ASKED);
    expect(await commentsOf(ticket, 'ai')).toHaveLength(1);
    await customerSays(ticket, 'Thanks, that solved it');
    expect(await ledIn(ticket)).toMatchObject({
      status: 'resolved',
      resolution_state: 'confirmed',
      outcome: 'verified_resolution',
    });
    expect((await api.get(`/tickets/${ticket.id}`)).data.status).toBe('resolved');
    await customerSays(ticket, 'Please reset my password with a link');
    expect(await ledIn(ticket)).toMatchObject({ status: 'awaiting_user_reply', answers: 2, turns: 3 });
    expect((await api.get(`/tickets/${ticket.id}`)).data.status).toBe('open');
  });

  it('leaves the ticket to people once it is not sure, or one of them has answered, and says nothing after that', async () => {
    const [unsure, answered] = [await makeTicket(api, ASKED), await makeTicket(api, ASKED)];
    for (const ticket of [unsure, answered]) expect(await commentsOf(ticket, 'ai')).toHaveLength(1);
    await customerSays(unsure, 'And which zeppelin flies to Samarkand?');
    expect(await ledIn(unsure)).toMatchObject({ status: 'handed_over', handover_reason: 'no_sources' });
    expect((await api.get(`/tickets/${answered.id}/comments`)).rows).toHaveLength(1);
    (await api.post(`/tickets/${answered.id}/comments`, { body: 'I am looking at it.' })).expect(201);
    await customerSays(answered, ASKED.subject);
    expect(await ledIn(answered)).toMatchObject({ status: 'handed_over', handover_reason: 'rule' });
    for (const ticket of [unsure, answered]) {
      await customerSays(ticket, ASKED.subject);
      const said = await commentsOf(ticket, 'ai');
      expect(said.map(({ is_internal }) => is_internal)).toEqual([false, true]);
      expect((await commentsOf(ticket, 'requester')).length).toBe(2);
    }
  });

  it('has automations wait for a hand-over', async () => {
    const action = { type: 'add_tags', tags: 'from-ai' };
    await make(api, '/automations', { trigger: 'ai.handover', actions: [action] });
    const over = (await api.post('/ai-engine/conversations', { message: 'A human, please' })).expect(201).data;
    await drained(server, home);
    expect((await api.get(`/tickets/${over.ticket_id as number}`)).data.tags).toBe('from-ai');
  });
});

it('answers in a ticket when an automation says so, whatever the mode; where it is not sure, the rule says that it failed', async () => {
  await make(api, '/automations', { trigger: 'ticket.created', actions: [{ type: 'ai_reply' }] });
  const ticket = await makeTicket(api, ASKED);
  expect(await commentsOf(ticket, 'ai')).toHaveLength(1);
  const other = await makeTicket(api, { ...ASKED, subject: 'Which zeppelin flies to Samarkand?' });
  expect(await commentsOf(other, 'ai')).toEqual([]);
  const { rows } = await api.get(`/tickets/${other.id}/automation-runs`);
  expect(JSON.stringify(rows)).toContain('No source is sure enough');
  await customerSays(ticket, 'Thanks, it works');
  expect(await ledIn(ticket)).toMatchObject({ status: 'resolved' });
  const actors = await eventsOf(server, home, 'ai_conversation', Number((await ledIn(ticket))?.id));
  expect(actors.map(({ type }) => type)).toEqual([
    'ai_conversation.created',
    'ai_conversation.replied',
    'ai_conversation.resolved',
  ]);
});

it('says how likely a ticket misses its SLA, by how many did', async () => {
  await sql.rows(
    `INSERT INTO tickets (workspace_id, number, code, subject, priority, status, sla_status)
     SELECT $1, 900000 + n, 'OLD-' || n, 'old', 'high', 'closed', CASE WHEN n % 4 = 0 THEN 'breached' ELSE 'met' END FROM generate_series(1, 240) n`,
    [home.id],
  );
  const predicted = async (priority: string): Promise<Fields | undefined> => {
    const { id } = await makeTicket(api, { priority });
    const answer = await api.post('/ai-engine/predict', { ticket_id: id, tasks: ['sla_breach_risk'] });
    return (answer.expect(200).data.predictions as Fields[])[0];
  };
  const label = '60 of 240 tickets like it breached, 60 of all 240';
  const alternatives = [{ value: 'breached', label, confidence: 0.25 }];
  expect(await predicted('high')).toMatchObject({
    value: 'met',
    confidence: 0.75,
    method: 'base-rates',
    label,
    alternatives,
  });
  expect(await predicted('low')).toMatchObject({ value: 'met', confidence: 0.75, label });
});

it('says what it could do with its settings', async () => {
  const tried = async (): Promise<Fields> => (await api.post('/ai-engine/settings/test', {})).expect(200).data;
  expect(await tried()).toMatchObject({ provider: 'local', ok: true, articles: 1 });
  (await api.patch('/ai-engine/settings', { enabled: false })).expect(200);
  expect(await tried()).toMatchObject({ ok: false, articles: 1 });
});

describe('questions without a source', () => {
  it('are told together with those about the same, what is asked most first', async () => {
    const questions = [
      'How do I book the wombat room?',
      'Hello',
      'Book a wombat room, please',
      'Which zeppelin flies to Samarkand?',
      'Reset my password',
      'How can the wombat room be booked? I want to book the room',
    ];
    for (const message of questions) (await api.post('/ai-engine/conversations', { message })).expect(201);
    const { gaps, questions: looked } = (await api.get('/ai-engine/gaps')).expect(200).data;
    expect(looked).toBe(4);
    expect((gaps as Fields[]).map(({ count, best_score }) => [count, best_score])).toEqual([
      [3, null],
      [1, null],
    ]);
    expect((gaps as Fields[])[0]?.question).toContain('wombat room');
    expect((gaps as Fields[])[0]?.conversation_ids).toHaveLength(3);
    expect((await api.get('/ai-engine/gaps?limit=1')).data.gaps).toHaveLength(1);
    for (const limit of ['0', '101', 'x'])
      expect((await api.get(`/ai-engine/gaps?limit=${limit}`)).expect(422).codes).toHaveProperty('limit');
    const ticket = await makeTicket(api);
    (await api.post('/ai-engine/conversations', { message: 'Is there a yak?', ticket_id: ticket.id })).expect(201);
    const person = await makePerson(server, home, { role: 'agent', ticket_scope: 'assigned' });
    expect((await person.api.get('/ai-engine/gaps')).expect(200).data.questions).toBe(4);
  });

  it('are each in one group, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 40 }), (bodies) => {
        const asked_at = '2026-01-01T00:00:00.000Z';
        const questions = bodies.map((body, at) => ({ conversation_id: at + 1, body, asked_at, score: null }));
        const groups = groupQuestions(questions);
        expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(bodies.length);
        const counts = groups.map(({ count }) => count);
        expect(counts).toEqual([...counts].sort((one, other) => other - one));
      }),
      { numRuns: 50 },
    );
  });
});
