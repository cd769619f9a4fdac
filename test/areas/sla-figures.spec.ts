import { ClocksKeepTheirFigures1768945000000 } from '../../migrations/1768945000000-clocks-keep-their-figures';
import type { Api, Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { letPass, rested } from '../support/sandbox';
import { type Detail, detailOf, targets } from '../support/sla';
import { useSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
let workspace: TestWorkspace;
let api: Api;
let policy: Fields;
let id: number;
beforeEach(async () => {
  workspace = await makeWorkspace(server, { sandbox: true });
  ({ api } = workspace);
  policy = (await api.post('/sla', { name: 'Gold', position: 1, targets: targets(60, 120, 30) })).expect(201).data;
  ({ id } = await makeTicket(api, { requester_email: 'ann@example.com' }));
  // Answered late, asked again and answered in time, held for a while, and resolved in time.
  await minutes(70);
  await says();
  await minutes(1);
  await says('requester');
  await minutes(4);
  await says();
  await set({ status: 'on_hold' });
  await minutes(30);
  await set({ status: 'open' });
  await set({ status: 'resolved' });
});

const minutes = (count: number): Promise<number> => letPass(workspace, count * 60);
const set = async (body: object): Promise<unknown> => (await api.patch(`/tickets/${id}`, body)).expect(200);
const says = async (author_type = 'agent'): Promise<unknown> =>
  (await api.post(`/tickets/${id}/comments`, { body: 'x', author_type })).expect(201);
const rounded = ({ clocks }: Detail): unknown[] =>
  clocks.map((clock) => [
    clock.metric,
    ...[clock.elapsed_working_seconds, clock.remaining_working_seconds, clock.overdue_seconds].map((seconds) =>
      Math.round(Number(seconds) / 60),
    ),
    clock.pauses.map(({ working_seconds }) => Math.round(Number(working_seconds) / 60)),
  ]);
const KEPT = [
  ['first_response', 70, 0, 10, []],
  ['resolution', 75, 45, 0, [30]],
  ['next_response', 4, 26, 0, []],
];

/** Hours in which none of it happened. */
async function otherHours(): Promise<void> {
  const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
  const day = days[(new Date().getUTCDay() + 3) % 7] ?? 'mon';
  const schedule = { mode: 'business_hours', timezone: 'UTC', weekly: { [day]: [['00:00', '24:00']] } };
  (await api.patch(`/sla/${policy.id}`, { schedule, targets: targets(5, 5) })).expect(200);
  await rested(workspace);
}

describe('figures of answered clocks', () => {
  it('stay as they were when the policy is edited', async () => {
    const before = await detailOf(api, id);
    expect(rounded(before)).toEqual(KEPT);
    await otherHours();
    expect((await detailOf(api, id)).clocks).toEqual(before.clocks);
  });

  it('stay as they were when the policy is deleted', async () => {
    const { clocks } = await detailOf(api, id);
    await otherHours();
    (await api.delete(`/sla/${policy.id}?reassign_to=none`)).expect(200);
    await rested(workspace);
    expect((await detailOf(api, id)).clocks).toEqual(clocks);
  });

  it('are counted anew by the present terms once the ticket is open again', async () => {
    await otherHours();
    await set({ status: 'open' });
    const resolution = (await detailOf(api, id)).clocks.find(({ metric }) => metric === 'resolution');
    expect(resolution).toMatchObject({ outcome: 'active', target_minutes: 5, elapsed_working_seconds: 0 });
  });

  it('were filled for what was measured around the clock', async () => {
    const { clocks } = await detailOf(api, id);
    const figures = (): Promise<object[]> =>
      sql.rows(`SELECT metric, figures FROM sla_clocks WHERE workspace_id = $1 AND ticket_id = $2 ORDER BY metric`, [
        workspace.id,
        id,
      ]);
    const before = await figures();
    await sql.rows(`UPDATE sla_clocks SET figures = NULL WHERE workspace_id = $1 AND ticket_id = $2`, [
      workspace.id,
      id,
    ]);
    const query = async (text: string): Promise<void> => {
      if (text.includes('UPDATE'))
        await sql.rows(
          text.replace('WHERE c.', `WHERE c.workspace_id = ${workspace.id} AND c.ticket_id = ${id} AND c.`),
        );
    };
    await new ClocksKeepTheirFigures1768945000000().up({ query } as never);
    expect(await figures()).toEqual(before);
    expect((await detailOf(api, id)).clocks).toEqual(clocks);
  });
});
