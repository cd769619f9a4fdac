import { desk, QUESTION, say, start, UNKNOWN } from '../support/ai-conversations';
import type { Api, Fields } from '../support/api';
import { useApp } from '../support/app';
import { make, makeTicket } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { runJob } from '../support/jobs';
import { useSql } from '../support/sql';
import type { TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

async function metrics(api: Api, query = ''): Promise<Record<string, Fields>> {
  return (await api.get(`/ai-engine/metrics${query}`)).expect(200).data as unknown as Record<string, Fields>;
}

describe('settings', () => {
  it('say on which channels and in which languages it answers, when a person takes over, and whose tickets become', async () => {
    const { api } = await desk(server);
    const team = await make(api, '/teams');
    const settings = { channels: ['email'], languages: ['en'], handover: { keywords: ['wombat'], max_turns: 1 } };
    (await api.patch('/ai-engine/settings', { ...settings, handover_team_id: team.id })).expect(200);
    const stored = (await api.patch('/ai-engine/settings', { handover: { on_request: true } })).expect(200).data;
    expect(stored.handover).toMatchObject({ keywords: ['wombat'], max_turns: 1, on_low_confidence: true });
    const reasonOf = async (message: string, more: object): Promise<unknown> =>
      (await start(api, message, more)).handover_reason;
    expect(await reasonOf(QUESTION, {})).toBe('rule');
    expect(await reasonOf(QUESTION, { channel: 'email', language: 'fr' })).toBe('rule');
    expect(await reasonOf('A wombat, please', { channel: 'email' })).toBe('requested');
    const begun = await start(api, QUESTION, { channel: 'email', language: 'en-US' });
    expect(begun.action).toBe('answer');
    const over = await say(api, begun, QUESTION);
    expect(over).toMatchObject({ handover_reason: 'max_turns', handover_to_team_id: team.id });
    expect((await api.get(`/tickets/${over.ticket_id as number}`)).data.team_id).toBe(team.id);
    expect((await api.patch('/ai-engine/settings', { channels: ['smoke'] })).expect(422).codes).toHaveProperty(
      'channels',
    );
    expect((await api.patch('/ai-engine/settings', { handover: { max_turns: 0 } })).expect(422).codes).toHaveProperty([
      'handover.max_turns',
    ]);
    (await api.patch('/ai-engine/settings', { enabled: false })).expect(200);
    expect((await api.post('/ai-engine/conversations', { message: 'x' })).expect(422).codes).toEqual({
      message: 'not_allowed',
    });
  });

  it('may leave the time outside of business hours to people', async () => {
    const { api } = await desk(server);
    (await api.patch('/ai-engine/settings', { handover: { outside_business_hours: 'handover' } })).expect(200);
    expect((await start(api, QUESTION)).action).toBe('answer');
    const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
    const always = Object.fromEntries(days.map((day) => [day, [['00:00', '24:00']]]));
    const schedule = await make(api, '/schedules', { is_default: true, timezone: 'UTC', weekly: always });
    expect((await start(api, QUESTION)).action).toBe('answer');
    const daysAgo = days[new Date(Date.now() - 3 * 86_400_000).getUTCDay()] ?? 'sun';
    (await api.patch(`/schedules/${schedule.id}`, { weekly: { [daysAgo]: [['00:00', '00:01']] } })).expect(200);
    expect((await start(api, QUESTION)).handover_reason).toBe('rule');
  });
});

describe('what becomes of conversations', () => {
  let home: TestWorkspace;
  let api: Api;

  beforeEach(async () => {
    home = await desk(server);
    ({ api } = home);
  });

  /** Everything in the workspace was so many days ago. */
  async function daysPass(days: number): Promise<void> {
    const earlier = (column: string): string => `${column} = ${column} - make_interval(days => ${days})`;
    const columns = ['started_at', 'last_activity_at', 'resolved_at', 'reopened_at'].map(earlier).join(', ');
    await sql.rows(`UPDATE ai_conversations SET ${columns} WHERE workspace_id = $1`, [home.id]);
    await sql.rows(`UPDATE ai_messages SET ${earlier('created_at')} WHERE workspace_id = $1`, [home.id]);
  }

  it('nothing has become of none', async () => {
    const { conversations, previous, delta } = await metrics(api);
    const nothing = { value: null, numerator: 0, denominator: 0 };
    expect(conversations).toMatchObject({
      conversations: 0,
      involvement_rate: nothing,
      resolution_rate: nothing,
      reopen_rate: nothing,
    });
    expect(conversations).toMatchObject({
      turns_avg: null,
      csat: { average: null },
      confidence: { mean: null, ece: null },
    });
    expect(previous).toMatchObject({ rates: { handover_rate: nothing } });
    expect(delta).toMatchObject({ handover_rate: null });
  });

  it('is counted with numerator and denominator, and whoever comes back takes a resolution back', async () => {
    const confirmed = await say(
      api,
      await start(api, QUESTION, { contact_email: 'ada@people.example' }),
      'Thanks, that solved it',
    );
    expect(confirmed).toMatchObject({
      action: 'resolve',
      status: 'resolved',
      resolution_state: 'confirmed',
      outcome: 'verified_resolution',
    });
    await start(api, 'Let me talk to a human');
    await start(api, 'Hello');
    await makeTicket(api);
    const first = (await metrics(api)).conversations;
    expect(first).toMatchObject({
      conversations: 3,
      // The ticket of the hand-over is the conversation; the other one is none.
      involvement_rate: { value: 0.5, numerator: 2, denominator: 4 },
      answer_rate: { numerator: 1, denominator: 2 },
      containment_rate: { numerator: 1, denominator: 2 },
      automation_rate: { value: 0.5, numerator: 1, denominator: 2 },
      resolution_rate: { value: 0.5, numerator: 1, denominator: 2 },
      verified_resolution_rate: { numerator: 1, denominator: 2 },
      handover_rate: { numerator: 1, denominator: 2 },
      reopen_rate: { value: 0, numerator: 0, denominator: 1 },
      durable_resolution_rate: { value: null, numerator: 0, denominator: 0 },
      by_reason: { requested: 1, no_sources: 0 },
      estimated_minutes_saved: { value: 2, answers: 1, minutes_per_answer: 2, estimated: true },
      usage: [{ provider: 'local', requests: 4, tokens_in: 0, tokens_out: 0, failed: 0, fallback_count: 0, cost: 0 }],
      confidence: { mean: 0.95, distribution: [0, 0, 0, 0, 0, 0, 0, 0, 0, 1] },
    });
    const { calibration, ece } = first?.confidence as { calibration: Fields[]; ece: number };
    expect([calibration[9], ece]).toEqual([{ bin: 0.9, predicted: 0.95, observed: 1, n: 1 }, 0.05]);
    const back = await say(api, confirmed, 'The password page says error 5');
    expect(back).toMatchObject({ status: 'awaiting_user_reply', resolution_state: null, outcome: 'in_progress' });
    expect((await eventsOf(server, home, 'ai_conversation', back.id)).map(({ type }) => type)).toContain(
      'ai_conversation.reopened',
    );
    const second = (await metrics(api)).conversations;
    expect(second).toMatchObject({
      resolution_rate: { value: 0, numerator: 0, denominator: 2 },
      containment_rate: { numerator: 0, denominator: 2 },
      reopen_rate: { value: 1, numerator: 1, denominator: 1 },
    });
    expect((await metrics(api, '?channel=email')).conversations).toMatchObject({ conversations: 0 });
  });

  it('is assumed from silence: resolved after an answer, abandoned after a question back; verified when nobody comes back', async () => {
    const answered = await start(api, QUESTION, { contact_email: 'ada@people.example' });
    const returned = await start(api, QUESTION, { contact_email: 'bob@people.example' });
    const unknown = await start(api, QUESTION);
    const asked = await start(api, UNKNOWN);
    const human = await start(api, 'Let me talk to a human');
    const of = async ({ id }: Fields): Promise<Fields> => (await api.get(`/ai-engine/conversations/${id}`)).data;
    await runJob(server, 'idle-ai-conversations');
    expect((await of(answered)).status).toBe('awaiting_user_reply');
    await daysPass(2);
    await runJob(server, 'idle-ai-conversations');
    expect(await of(answered)).toMatchObject({
      status: 'resolved',
      resolution_state: 'assumed',
      outcome: 'contained_resolution',
    });
    expect(await of(asked)).toMatchObject({ status: 'abandoned', outcome: 'unassisted' });
    expect(await of(human)).toMatchObject({ status: 'handed_over' });
    expect((await metrics(api)).conversations).toMatchObject({
      deflection_rate: { value: 1, numerator: 2, denominator: 2 },
      containment_rate: { numerator: 3, denominator: 4 },
      durable_resolution_rate: { denominator: 0 },
    });
    await makeTicket(api, { requester_email: 'bob@people.example' });
    await daysPass(8);
    await sql.rows(
      `UPDATE tickets SET created_at = created_at - interval '6 days' WHERE workspace_id = $1 AND requester_email = 'bob@people.example'`,
      [home.id],
    );
    expect((await of(answered)).outcome).toBe('verified_resolution');
    for (const left of [returned, unknown]) expect((await of(left)).outcome).toBe('contained_resolution');
    expect((await metrics(api)).conversations).toMatchObject({
      resolution_rate: { value: 0.75, numerator: 3, denominator: 4 },
      verified_resolution_rate: { value: 0.25, numerator: 1, denominator: 4 },
      durable_resolution_rate: { value: 1, numerator: 3, denominator: 3 },
    });
  });

  it('is what customers say of it: helpful or not, from 1 to 5', async () => {
    const begun = await start(api, QUESTION);
    const rate = async (body: object): Promise<Fields> =>
      (await api.post(`/ai-engine/conversations/${begun.id}/feedback`, body)).expect(200).data;
    expect(await rate({ helpful: true, score: 5, comment: 'Quick.' })).toMatchObject({
      ...{ status: 'resolved', resolution_state: 'confirmed', csat_score: 5, csat_comment: 'Quick.' },
    });
    expect(await rate({ helpful: false })).toMatchObject({
      status: 'awaiting_user_reply',
      resolution_state: 'negative_feedback',
    });
    expect(await rate({ score: 2 })).toMatchObject({ csat_score: 2, status: 'awaiting_user_reply' });
    const rated = (await metrics(api)).conversations;
    expect(rated?.csat).toEqual({ average: 2, satisfied: { value: 0, numerator: 0, denominator: 1 } });
    const { calibration } = rated?.confidence as { calibration: Fields[] };
    expect(calibration[9]).toEqual({ bin: 0.9, predicted: 0.95, observed: 0, n: 1 });
    const path = `/ai-engine/conversations/${(await start(api, UNKNOWN)).id}/feedback`;
    expect((await api.post(path, {})).expect(422).codes).toEqual({ helpful: 'required' });
    expect((await api.post(path, { helpful: true })).expect(422).codes).toEqual({ helpful: 'no_answer' });
    expect((await api.post(path, { score: 6 })).expect(422).codes).toEqual({ score: 'max' });
  });
});
