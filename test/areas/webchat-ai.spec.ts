import { desk, QUESTION, UNKNOWN } from '../support/ai-conversations';
import { completion, GOOD } from '../support/ai-provider';
import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { commentsOf } from '../support/channels';
import { make } from '../support/cast';
import { drained } from '../support/jobs';
import { makePerson } from '../support/people';
import { useReceiver } from '../support/receiver';
import { Guest, webchat } from '../support/webchat';
import type { TestWorkspace } from '../support/workspace';

const server = useApp();
const model = useReceiver();
let workspace: TestWorkspace;
let team: Fields;

beforeAll(async () => {
  workspace = await desk(server);
  team = (await workspace.api.post('/teams', { name: 'Chat' })).expect(201).data;
});

let serial = 0;

/** A visitor of a chat in which the engine does what is said. */
async function visitor(ai: string, more: object = {}): Promise<{ guest: Guest; channel: Fields }> {
  const channel = await webchat(workspace.api, { ai }, { team_id: team.id, ...more });
  const guest = await Guest.of(server, workspace.api, channel);
  await guest.begin({ name: 'Ada' });
  return { guest, channel };
}

async function says(guest: Guest, body: string): Promise<void> {
  expect((await guest.say(body, `client-${(serial++).toString().padStart(4, '0')}`)).status).toBe(200);
  await drained(server, workspace);
}

async function threadOf(channel: Fields): Promise<Fields> {
  const [thread] = (await workspace.api.get(`/teams/threads?channel_id=${channel.id}`)).rows;
  return thread as Fields;
}

const ledIn = async (thread: Fields): Promise<Fields[]> =>
  (await workspace.api.get(`/ai-engine/conversations?thread_id=${thread.id}&sort=started_at`)).expect(200).rows;

it('answers visitors, and gives them to the team with all that was said, after which it is silent', async () => {
  const { guest, channel } = await visitor('auto', { auto_reply: { enabled: true, message: 'One moment.' } });
  await says(guest, QUESTION);
  const answered = (await guest.seen()) as [string, string][];
  expect(answered).toEqual([
    ['visitor', QUESTION],
    ['bot', expect.stringContaining('choose Reset password') as string],
  ]);
  const thread = await threadOf(channel);
  expect(thread.ticket_id).toBeNull();
  expect(await ledIn(thread)).toMatchObject([
    { status: 'awaiting_user_reply', action: 'answer', turns: 1, channel: 'chat', contact_id: thread.contact_id },
  ]);
  await says(guest, 'I want to talk to a human');
  const [over] = await ledIn(thread);
  expect(over).toMatchObject({ status: 'handed_over', handover_reason: 'requested', turns: 2 });
  const ticket = (await workspace.api.get(`/tickets/${over?.ticket_id as number}`)).expect(200).data;
  expect(ticket).toMatchObject({ team_id: team.id, channel: 'chat', status: 'open', first_response_at: null });
  for (const text of [QUESTION, 'choose Reset password', 'I want to talk to a human'])
    expect(ticket.description).toContain(text);
  expect((await threadOf(channel)).ticket_id).toBe(ticket.id);
  expect((await guest.seen()).at(-1)).toEqual(['bot', expect.stringContaining('takes over from here') as string]);
  const before = (await guest.seen()).length;
  await says(guest, QUESTION);
  expect((await guest.seen()).length).toBe(before + 1);
  expect(await commentsOf(workspace.api, ticket)).toContainEqual(['requester', 'Ada', QUESTION]);
  // A matter that is closed is over: what comes then is a new one.
  for (const status of ['resolved', 'closed'])
    (await workspace.api.patch(`/tickets/${ticket.id}`, { status })).expect(200);
  await says(guest, QUESTION);
  expect((await guest.seen()).at(-1)).toEqual(answered[1]);
  expect(await ledIn(thread)).toMatchObject([{ status: 'handed_over' }, { status: 'awaiting_user_reply', turns: 1 }]);
});

it('says so where nobody is there, asks back once, and leaves the chat when a person writes in it', async () => {
  const holidays = [-1, 0, 1].map((day) => ({
    date: new Date(Date.now() + day * 86_400_000).toISOString().slice(0, 10),
  }));
  const schedule = await make(workspace.api, '/schedules', { weekly: { mon: [['03:00', '03:01']] }, holidays });
  const auto_reply = { enabled: true, outside_hours_message: 'Back at nine.' };
  const { guest } = await visitor('auto', { schedule_id: schedule.id, auto_reply });
  await says(guest, UNKNOWN);
  await says(guest, 'The one with two engines, of course');
  expect((await guest.seen()).slice(-2)).toEqual([
    ['bot', expect.stringContaining('takes over from here') as string],
    ['bot', 'Back at nine.'],
  ]);
  const other = await visitor('auto');
  await says(other.guest, UNKNOWN);
  const thread = await threadOf(other.channel);
  const reply = { channel_id: other.channel.id, thread_id: thread.id, body: 'A person here.' };
  (await workspace.api.post('/teams/messages', reply)).expect(201);
  await says(other.guest, QUESTION);
  expect((await other.guest.seen()).slice(-2)).toEqual([
    ['agent', 'A person here.'],
    ['visitor', QUESTION],
  ]);
  expect(await ledIn(thread)).toMatchObject([{ status: 'handed_over', handover_reason: 'rule' }]);
});

it('suggests to people alone, and does nothing where it is off, or switched off, but leave no visitor waiting', async () => {
  const suggested = await visitor('suggest');
  await says(suggested.guest, QUESTION);
  expect(await suggested.guest.seen()).toEqual([['visitor', QUESTION]]);
  const thread = await threadOf(suggested.channel);
  const notes = (await workspace.api.get(`/teams/messages?thread_id=${thread.id}&direction=internal`)).rows;
  expect(notes.map(({ body }) => body)).toEqual([
    expect.stringMatching(/^Suggested answer .*Reset your password/) as string,
  ]);
  const off = await visitor('off');
  await says(off.guest, QUESTION);
  expect(await off.guest.seen()).toEqual([['visitor', QUESTION]]);
  (await workspace.api.patch('/ai-engine/settings', { enabled: false })).expect(200);
  const stopped = await visitor('auto');
  await says(stopped.guest, QUESTION);
  (await workspace.api.patch('/ai-engine/settings', { enabled: true })).expect(200);
  expect((await threadOf(stopped.channel)).ticket_id).not.toBeNull();
});

it('is led in the chat alone; whoever may not see the chat does not see it', async () => {
  const { guest, channel } = await visitor('auto', { is_private: true });
  await says(guest, QUESTION);
  const [led] = await ledIn(await threadOf(channel));
  const path = `/ai-engine/conversations/${led?.id ?? 0}`;
  expect((await workspace.api.post(`${path}/messages`, { message: 'x' })).expect(422).body).toMatchObject({
    error: { details: [{ code: 'in_chat' }] },
  });
  const outsider = await makePerson(server, workspace, { role: 'agent' });
  (await outsider.api.get(path)).expect(404);
  (await workspace.api.post(`${path}/handover`, {})).expect(200);
  expect(await threadOf(channel)).toMatchObject({ ticket_id: expect.any(Number) as number });
});

it('says what a model elsewhere writes, asked while nothing is held; what the visitor says meanwhile is answered from here', async () => {
  const openai_compatible = { base_url: model.at('/v1'), model: 'small', timeout_ms: 15_000 };
  const provided = { provider: 'openai_compatible', openai_compatible, fallback_to_local: true };
  (await workspace.api.patch('/ai-engine/settings', provided)).expect(200);
  model.answer(completion(GOOD));
  const { guest, channel } = await visitor('auto');
  await says(guest, QUESTION);
  expect((await guest.seen()).at(-1)).toEqual(['bot', GOOD.answer]);
  const [led] = await ledIn(await threadOf(channel));
  expect(led).toMatchObject({ provider: 'openai_compatible', action: 'answer', answers: 1 });
  const suggested = await visitor('suggest');
  await says(suggested.guest, QUESTION);
  const path = `/teams/messages?thread_id=${(await threadOf(suggested.channel)).id}&direction=internal`;
  expect((await workspace.api.get(path)).rows[0]?.body).toContain(GOOD.answer);
  // The visitor goes on while the model writes: neither waits for the other, and nothing that is out of date is said.
  const other = await visitor('auto');
  let isFirst = true;
  model.answer(async () => {
    if (isFirst) expect((await other.guest.say(QUESTION, 'client-meanwhile')).status).toBe(200);
    isFirst = false;
    return completion({ ...GOOD, answer: 'Too late' });
  });
  await says(other.guest, QUESTION);
  expect(await other.guest.seen()).toEqual([
    ['visitor', QUESTION],
    ['visitor', QUESTION],
    ['bot', expect.stringContaining('choose Reset password') as string],
  ]);
  (await workspace.api.patch('/ai-engine/settings', { provider: 'local' })).expect(200);
});
