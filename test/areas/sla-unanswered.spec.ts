import { holdsSince } from '../../src/areas/sla/clock-holds';
import type { Terms } from '../../src/areas/sla/clock-types';
import type { Api, Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { letPass, rested } from '../support/sandbox';
import { detailOf } from '../support/sla';
import { agent, at, changes, clockOf, created, requester, status, target, tell, TERMS } from '../support/sla-story';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();

/** Later answers are measured for high and urgent alone. */
const SOME: Terms = { ...TERMS, targets: { ...TERMS.targets, medium: target(240, null, 1_440) } };
const to = (priority: string): { type: 'priority'; priority: string } => ({ type: 'priority', priority });

describe('a question through a priority that does not measure its answer', () => {
  it('is measured again from its moment, as the same clock', () => {
    const { state, notes } = tell(
      SOME,
      created({ priority: 'high' }),
      [10, agent],
      [20, requester],
      [30, to('medium')],
      [35, requester],
      [40, to('high')],
    );
    expect(clockOf(state, 'next_response')).toMatchObject({ started_at: at(20), due_at: at(80), outcome: 'active' });
    expect(state.clocks).toHaveLength(3);
    expect(changes(notes, 'next_response')).toEqual(['started', 'cancelled', 'recomputed']);
  });

  it('asked meanwhile is measured from its moment, and late by the edit', () => {
    const before = [
      [10, agent],
      [20, requester],
      [30, requester],
    ] as const;
    const story = (minutes: number) =>
      tell(SOME, created(), ...before.map((each) => [...each] as [number, typeof agent]), [minutes, to('high')]).state;
    expect(clockOf(story(40), 'next_response')).toMatchObject({ started_at: at(20), due_at: at(80) });
    expect(clockOf(story(90), 'next_response')).toMatchObject({ outcome: 'breached', breached_at: at(90) });
  });

  it.each([
    ['answered', agent],
    ['over with the resolution', status('resolved')],
  ])('is %s for good', (_, end) => {
    const { state } = tell(
      SOME,
      created({ priority: 'high' }),
      [10, agent],
      [20, requester],
      [30, to('medium')],
      [40, end],
      [45, status('open')],
      [50, to('high')],
    );
    expect(clockOf(state, 'next_response').outcome).toBe('cancelled');
  });

  it('does not count the time on hold', () => {
    const { state } = tell(
      SOME,
      created(),
      [10, agent],
      [20, requester],
      [30, status('on_hold')],
      [45, status('open')],
      [50, status('on_hold')],
      [55, to('high')],
      [60, status('open')],
    );
    const clock = clockOf(state, 'next_response');
    expect(clock).toMatchObject({ started_at: at(20), due_at: at(105), outcome: 'active' });
    expect(clock.pauses).toMatchObject([
      { from: at(30), to: at(45) },
      { from: at(50), to: at(60) },
    ]);
  });
});

it('what it was held is known by either clock, from the question on', () => {
  const hold = (from: number, until: number | null) =>
    ({ from: at(from), to: until === null ? null : at(until), kind: 'hold' }) as const;
  const resolved = { ...hold(60, 70), kind: 'resolved' } as const;
  expect(holdsSince(at(10), [], [hold(0, 5), hold(8, 12), resolved], false, at(90))).toEqual([hold(10, 12)]);
  expect(holdsSince(at(10), [hold(20, null)], [hold(20, 30)], false, at(90))).toEqual([hold(20, 30)]);
  expect(holdsSince(at(10), [hold(20, null)], [], false, at(90))).toEqual([hold(20, 90)]);
  expect(holdsSince(at(10), [], [], true, at(90))).toEqual([hold(90, null)]);
  expect(holdsSince(at(10), [], [hold(80, null)], true, at(90))).toEqual([hold(80, null)]);
});

describe('a ticket whose requester waits', () => {
  let workspace: TestWorkspace;
  let api: Api;
  let policy: Fields;
  const minutes = (count: number): Promise<number> => letPass(workspace, count * 60);
  const sides = (next: number | null): object => ({
    first_response_minutes: 60,
    resolution_minutes: 600,
    next_response_minutes: next,
  });
  const goals = (medium: number | null): object => ({
    targets: { urgent: sides(60), high: sides(60), medium: sides(medium), low: sides(null) },
  });
  beforeEach(async () => {
    workspace = await makeWorkspace(server, { sandbox: true });
    ({ api } = workspace);
    policy = (await api.post('/sla', { name: 'Some', position: 1, ...goals(null) })).expect(201).data;
  });

  const says = async (id: number, type?: string): Promise<string> => {
    const author = type === undefined ? {} : { author_type: type };
    return (await api.post(`/tickets/${id}/comments`, { body: 'x', ...author })).expect(201).data.created_at as string;
  };
  const becomes = async (id: number, priority: string): Promise<Fields> =>
    (await api.patch(`/tickets/${id}`, { priority })).expect(200).data;
  const after = (moment: string, count: number): string => new Date(Date.parse(moment) + count * 60_000).toISOString();

  it('has its promise back with the priority', async () => {
    const { id } = await makeTicket(api, { priority: 'high', requester_email: 'ann@example.com' });
    await says(id);
    await minutes(1);
    const asked = await says(id, 'requester');
    await minutes(5);
    expect(await becomes(id, 'medium')).toMatchObject({ next_response_due_at: null });
    await minutes(5);
    await says(id, 'requester');
    expect(await becomes(id, 'high')).toMatchObject({ next_response_due_at: after(asked, 60) });
    const { clocks } = await detailOf(api, id);
    expect(clocks.filter(({ metric }) => metric === 'next_response')).toMatchObject([
      { instance: 1, started_at: asked, outcome: 'active' },
    ]);
    await says(id);
    expect((await detailOf(api, id)).clocks.find(({ metric }) => metric === 'next_response')?.outcome).toBe('met');
  });

  it('is measured for what was asked before, by the priority or by an edit of the policy', async () => {
    const raised = await makeTicket(api, { priority: 'medium', requester_email: 'ann@example.com' });
    const edited = await makeTicket(api, { priority: 'medium', requester_email: 'ann@example.com' });
    const answered = await makeTicket(api, { priority: 'medium', requester_email: 'ann@example.com' });
    const moments: Record<number, string> = {};
    for (const { id } of [raised, edited, answered]) {
      await says(id, 'requester');
      await says(id);
      await minutes(1);
      moments[id] = await says(id, 'requester');
    }
    await minutes(1);
    await says(answered.id);
    expect(await becomes(raised.id, 'high')).toMatchObject({
      next_response_due_at: after(moments[raised.id] ?? '', 60),
    });
    expect(await becomes(answered.id, 'high')).toMatchObject({ next_response_due_at: null });
    (await api.patch(`/sla/${policy.id}`, goals(90))).expect(200);
    await rested(workspace);
    expect((await api.get(`/tickets/${edited.id}`)).data).toMatchObject({
      next_response_due_at: after(moments[edited.id] ?? '', 90),
    });
  });

  it('waits for nothing that was asked before it was resolved', async () => {
    const { id } = await makeTicket(api, { priority: 'medium', requester_email: 'ann@example.com' });
    await says(id);
    await minutes(1);
    await says(id, 'requester');
    await minutes(1);
    (await api.patch(`/tickets/${id}`, { status: 'resolved' })).expect(200);
    await minutes(1);
    (await api.patch(`/tickets/${id}`, { status: 'open' })).expect(200);
    expect(await becomes(id, 'high')).toMatchObject({ next_response_due_at: null });
    await minutes(1);
    await becomes(id, 'medium');
    const asked = await says(id, 'requester');
    expect(await becomes(id, 'urgent')).toMatchObject({ next_response_due_at: after(asked, 60) });
  });
});
