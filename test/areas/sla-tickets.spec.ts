import { isDeepStrictEqual } from 'node:util';
import { CommentsService } from '../../src/areas/tickets/comments.service';
import { Database } from '../../src/platform/database/database';
import type { Api, Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { useSql } from '../support/sql';
import { detailOf, pass, targets } from '../support/sla';
import { until } from '../support/until';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
let workspace: TestWorkspace;
let api: Api;
beforeEach(async () => {
  workspace = await makeWorkspace(server);
  ({ api } = workspace);
});

const ticketOf = async (id: number): Promise<Fields> => (await api.get(`/tickets/${id}`)).expect(200).data;
const comment = async (id: number, body: object = {}): Promise<Fields> =>
  (await api.post(`/tickets/${id}/comments`, { body: 'Hello', ...body })).expect(201).data;
const reply = (id: number): Promise<Fields> => comment(id, { author_type: 'requester' });
const set = async (id: number, body: object): Promise<Fields> =>
  (await api.patch(`/tickets/${id}`, body)).expect(200).data;

const clockOf = async (id: number, metric: string): Promise<Fields & { pauses: Fields[] }> => {
  const found = (await detailOf(api, id)).clocks.findLast((clock) => clock.metric === metric);
  if (!found) throw new Error(`There is no ${metric} clock.`);
  return found;
};
const typesOf = async (id: number): Promise<string[]> =>
  (await eventsOf(server, workspace, 'ticket', id)).map(({ type }) => type).filter((type) => type.includes('sla_'));

describe('a new ticket', () => {
  it('has a clock to the first response and one to the resolution', async () => {
    const ticket = await makeTicket(api, { priority: 'urgent' });
    const detail = await detailOf(api, ticket.id);
    expect(detail).toMatchObject({
      policy: { name: 'Standard', version: 1, matched_by: 'default' },
      schedule: { mode: '24x7', timezone: null },
      sla_status: 'on_track',
      next_due_at: ticket.first_response_due_at,
    });
    expect(detail.clocks).toMatchObject([
      {
        metric: 'first_response',
        instance: 1,
        target_minutes: 60,
        due_at: ticket.first_response_due_at,
        outcome: 'active',
      },
      { metric: 'resolution', instance: 1, target_minutes: 240, due_at: ticket.sla_due_at, outcome: 'active' },
    ]);
    for (const clock of detail.clocks) {
      expect(clock).toMatchObject({
        started_at: ticket.created_at,
        priority_applied: 'urgent',
        pauses: [],
        overdue_seconds: 0,
      });
      expect((clock.elapsed_working_seconds as number) + (clock.remaining_working_seconds as number)).toBe(
        (clock.target_minutes as number) * 60,
      );
    }
    expect(detail.history).toMatchObject([
      { change: 'started', metric: 'first_response', new_due_at: ticket.first_response_due_at },
      { change: 'started', metric: 'resolution', new_due_at: ticket.sla_due_at },
    ]);
    expect(ticket.next_sla_due_at).toBe(ticket.first_response_due_at);
  });

  it.each([
    ['internal', 'open', [['resolution', 'active']]],
    ['phone', 'open', [['first_response', 'met'], ['resolution', 'active']]], // prettier-ignore
    ['email', 'resolved', [['first_response', 'met'], ['resolution', 'met']]], // prettier-ignore
    ['email', 'on_hold', [['first_response', 'active'], ['resolution', 'paused']]], // prettier-ignore
  ])('by %s, %s, starts with what is still to do', async (channel, status, expected) => {
    const { id } = await makeTicket(api, { channel, status });
    expect((await detailOf(api, id)).clocks.map(({ metric, outcome }) => [metric, outcome])).toEqual(expected);
  });

  it('of another workspace shows nothing', async () => {
    const { id } = await makeTicket(api);
    const other = await makeWorkspace(server);
    expect((await other.api.get(`/tickets/${id}/sla`)).status).toBe(404);
    expect((await api.get(`/tickets/${id + 1_000_000}/sla`)).status).toBe(404);
  });
});

describe('the first response', () => {
  it('is a public comment by an agent, not an internal one', async () => {
    const { id } = await makeTicket(api);
    await comment(id, { is_internal: true });
    expect((await clockOf(id, 'first_response')).outcome).toBe('active');
    const { created_at } = await comment(id);
    const clock = await clockOf(id, 'first_response');
    expect(clock.outcome).toBe('met');
    expect(clock.fulfilled_at).toBe(created_at);
    expect(await typesOf(id)).toEqual(['ticket.sla_met']);
    const [event] = (await eventsOf(server, workspace, 'ticket', id)).filter(({ type }) => type === 'ticket.sla_met');
    expect(event?.data.id).toBe(id);
    const related = await sql.rows<{ related: Fields }>(`SELECT related FROM events WHERE uid = $1`, [event?.uid]);
    expect(related[0]?.related).toMatchObject({
      comment: { body: 'Hello' },
      sla: {
        metric: 'first_response',
        target_minutes: 480,
        breached_at: null,
        overdue_seconds: 0,
        policy_id: expect.any(Number) as number,
      },
    });
  });

  it('stays given when the comment is deleted', async () => {
    const { id } = await makeTicket(api);
    const { id: first } = await comment(id);
    (await api.delete(`/tickets/${id}/comments/${first}`)).expect(200);
    expect((await clockOf(id, 'first_response')).outcome).toBe('met');
  });

  it('is also given by resolving without a word', async () => {
    const { id } = await makeTicket(api);
    await set(id, { status: 'resolved' });
    expect((await detailOf(api, id)).clocks.map(({ outcome }) => outcome)).toEqual(['met', 'met']);
    const met = (await eventsOf(server, workspace, 'ticket', id)).filter(({ type }) => type === 'ticket.sla_met');
    const [row] = await sql.rows<{ sla: { metric: string; clocks: Fields[] } }>(
      `SELECT related -> 'sla' AS sla FROM events WHERE uid = $1`,
      [met[0]?.uid],
    );
    expect([met.length, row?.sla.metric, row?.sla.clocks.map(({ metric }) => metric)]).toEqual([
      1,
      'resolution',
      ['resolution', 'first_response'],
    ]);
  });

  it.each([false, true])('is given by automations and AI only where the policy says so: %s', async (counts) => {
    const [policy] = (await api.get('/sla')).rows;
    (await api.patch(`/sla/${policy?.id}`, { ai_counts_as_response: counts })).expect(200);
    const { app } = server;
    for (const type of ['automation', 'ai'] as const) {
      const { id } = await makeTicket(api);
      await app
        .get(Database)
        .inWorkspace(workspace.id, { type, id: 1, name: 'Robot' }, () =>
          app.get(CommentsService).add(id, { body: 'Hi' }),
        );
      expect((await clockOf(id, 'first_response')).outcome).toBe(counts ? 'met' : 'active');
      expect((await ticketOf(id)).first_response_at === null).toBe(!counts);
    }
  });

  it('that comes late keeps its breach', async () => {
    const { id } = await makeTicket(api, { priority: 'urgent' });
    await pass(sql, id, 90);
    const late = await clockOf(id, 'first_response');
    expect(late).toMatchObject({ outcome: 'breached', breached_at: late.due_at, fulfilled_at: null });
    expect(Math.floor((late.overdue_seconds as number) / 60)).toBe(30);
    await comment(id);
    expect(await clockOf(id, 'first_response')).toMatchObject({
      outcome: 'breached',
      breached_at: late.due_at,
      fulfilled_at: expect.any(String) as string,
    });
    expect(await typesOf(id)).toEqual(['ticket.sla_at_risk', 'ticket.sla_breach']);
    expect((await ticketOf(id)).sla_status).toBe('breached');
  });
});

describe('the next response', () => {
  const withNext = async (): Promise<number> => {
    const [policy] = (await api.get('/sla')).rows;
    (await api.patch(`/sla/${policy?.id}`, { targets: targets(60, 240, 30) })).expect(200);
    return (await makeTicket(api)).id;
  };

  it('is waited for from the first of several comments of the requester, once the first response was given', async () => {
    const id = await withNext();
    await reply(id);
    expect((await detailOf(api, id)).clocks.map(({ metric }) => metric)).toEqual(['first_response', 'resolution']);
    await comment(id);
    await reply(id);
    const first = await clockOf(id, 'next_response');
    expect(first).toMatchObject({ instance: 1, outcome: 'active', target_minutes: 30 });
    expect(await ticketOf(id)).toMatchObject({ next_response_due_at: first.due_at, next_sla_due_at: first.due_at });
    await reply(id);
    await reply(id);
    expect(await clockOf(id, 'next_response')).toMatchObject({ instance: 1, due_at: first.due_at });
    await comment(id);
    expect(await clockOf(id, 'next_response')).toMatchObject({ instance: 1, outcome: 'met' });
    expect((await ticketOf(id)).next_response_due_at).toBeNull();
    await reply(id);
    expect(await clockOf(id, 'next_response')).toMatchObject({ instance: 2, outcome: 'active' });
    await set(id, { status: 'resolved' });
    expect(await clockOf(id, 'next_response')).toMatchObject({ instance: 2, outcome: 'met' });
  });
});

it('expand=sla shows policy and clocks with tickets, in lists, too', async () => {
  const { id } = await makeTicket(api, { priority: 'urgent' });
  await pass(sql, id, 70);
  const { clocks, policy, next_due_at } = await detailOf(api, id);
  const shown = (await api.get(`/tickets/${id}?expand=sla`)).expect(200).data.sla as Fields & { clocks: Fields[] };
  expect(shown).toMatchObject({
    policy: { id: policy?.id, name: 'Standard' },
    next_due_at: expect.any(String) as string,
  });
  expect(shown.clocks.map(({ outcome }) => outcome)).toEqual(['breached', 'active']);
  for (const [index, clock] of shown.clocks.entries()) expect(clocks[index]).toMatchObject(clock);
  expect(next_due_at).not.toBeNull();
  // A sweep may come in between, and then the next moment is another.
  await until('lists say the same', async () => {
    const alone = (await api.get(`/tickets/${id}?expand=sla`)).expect(200).data.sla;
    const listed = (await api.get('/tickets?expand=sla')).expect(200).rows[0]?.sla;
    return isDeepStrictEqual(listed, alone);
  });
});
