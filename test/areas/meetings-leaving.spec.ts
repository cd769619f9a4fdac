import type { Answer, Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket, makeUser } from '../support/cast';
import { pushed } from '../support/directory';
import { drained } from '../support/jobs';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

/** Weeks away and on the hour, so that it is far from now. */
const THEN = Math.floor(Date.now() / 3_600_000) * 3_600_000 + 14 * 24 * 3_600_000;
const at = (hours: number): string => new Date(THEN + hours * 3_600_000).toISOString();
const always = { mode: '24x7' };

const meet = async (body: Record<string, unknown>): Promise<number> =>
  (await workspace.api.post('/meetings', { title: 'Demo', starts_at: at(0), ...body })).expect(201).data.id;
const typeOf = async (body: Record<string, unknown>): Promise<number> => {
  const rules = { name: 'Type', duration_minutes: 60, schedule: always, ...body };
  return (await workspace.api.post('/meetings/types', rules)).expect(201).data.id;
};
const hostsOf = async (id: number): Promise<Pick<Fields, 'host_id' | 'host_ids'>> => {
  const { host_id, host_ids } = (await workspace.api.get(`/meetings/${id}`)).expect(200).data;
  return { host_id, host_ids };
};
const alone = (id: number): object => ({ host_id: id, host_ids: [id] });
const leave = (id: number, to = ''): Promise<Answer> =>
  workspace.api.delete(`/users/${id}${to === '' ? '' : `?reassign_to=${to}`}`);

describe('a user who has meetings ahead', () => {
  it('is not deactivated before somebody has them, and everything that is open is named', async () => {
    const { id } = await makeUser(workspace.api);
    await meet({ host_id: id });
    await makeTicket(workspace.api, { assigned_to: id });
    const refused = [{ field: 'id', code: 'in_use', open_tickets: 1, open_meetings: 1 }];
    expect((await leave(id)).expect(422).error.details).toMatchObject(refused);
    const change = await workspace.api.patch(`/users/${id}`, { status: 'deactivated' });
    expect(change.expect(422).error.details).toMatchObject(refused);
    const none = (await leave(id, 'none')).expect(422).error.details;
    expect(none).toMatchObject([{ field: 'reassign_to', code: 'in_use', open_meetings: 1 }]);
  });

  it('goes with nothing open: past, cancelled and declined meetings stay as they were', async () => {
    const { id } = await makeUser(workspace.api);
    const past = await meet({ host_id: id, starts_at: at(-30 * 24) });
    const cancelled = await meet({ host_id: id });
    (await workspace.api.delete(`/meetings/${cancelled}`)).expect(200);
    (await leave(id)).expect(200);
    for (const each of [past, cancelled]) expect(await hostsOf(each)).toEqual(alone(id));
  });

  it('hands them over, with the tickets, to who is free for all of them', async () => {
    const [leaver, heir] = [await makeUser(workspace.api), await makeUser(workspace.api)];
    const [first, second] = [await meet({ host_id: leaver.id }), await meet({ host_id: leaver.id, starts_at: at(2) })];
    const past = await meet({ host_id: leaver.id, starts_at: at(-30 * 24) });
    const ticket = await makeTicket(workspace.api, { assigned_to: leaver.id });
    const own = await meet({ host_id: heir.id, starts_at: at(2) });
    const busy = (await leave(leaver.id, String(heir.id))).expect(422).error.details;
    expect(busy).toMatchObject([
      { field: 'reassign_to', code: 'slot_unavailable', open_meetings: 1, meeting_ids: [second] },
    ]);
    expect(await hostsOf(first)).toEqual(alone(leaver.id));
    (await workspace.api.delete(`/meetings/${own}`)).expect(200);
    expect((await leave(leaver.id, String(heir.id))).expect(200).data.status).toBe('deactivated');
    for (const id of [first, second]) expect(await hostsOf(id)).toEqual(alone(heir.id));
    expect(await hostsOf(past)).toEqual(alone(leaver.id));
    expect((await workspace.api.get(`/tickets/${ticket.id}`)).data.assigned_to).toBe(heir.id);
    const taken = await workspace.api.post('/meetings', { title: 'Other', host_id: heir.id, starts_at: at(0) });
    expect(taken.expect(422).codes).toEqual({ starts_at: 'slot_unavailable' });
  });

  it('hands them to no stranger to their type, and to nobody inactive', async () => {
    const [leaver, stranger] = [await makeUser(workspace.api), await makeUser(workspace.api)];
    const idle = await makeUser(workspace.api, { status: 'suspended' });
    await meet({ type_id: await typeOf({ host_ids: [leaver.id] }), host_id: leaver.id });
    const refused = async (to: string): Promise<unknown> => (await leave(leaver.id, to)).expect(422).codes;
    expect(await refused(String(stranger.id))).toEqual({ reassign_to: 'slot_unavailable' });
    expect(await refused(String(idle.id))).toEqual({ reassign_to: 'inactive' });
    expect(await refused(String(leaver.id))).toEqual({ reassign_to: 'invalid' });
    expect(await refused('999999')).toEqual({ reassign_to: 'not_found' });
  });

  it('leaves a meeting of several hosts to the others', async () => {
    const [leaver, one, two] = [
      await makeUser(workspace.api),
      await makeUser(workspace.api),
      await makeUser(workspace.api),
    ];
    const type = await typeOf({ host_ids: [leaver.id, one.id, two.id], scheduling: 'collective' });
    const id = await meet({ type_id: type });
    expect((await leave(leaver.id)).expect(422).codes).toEqual({ id: 'in_use' });
    (await leave(leaver.id, 'none')).expect(200);
    expect(await hostsOf(id)).toEqual({ host_id: one.id, host_ids: [one.id, two.id] });
  });
});

describe('meetings of who has left, and where nobody was named', () => {
  it('go to hosts of their type who are free; what nobody is free for stays', async () => {
    const [leaver, one, two] = [
      await makeUser(workspace.api),
      await makeUser(workspace.api),
      await makeUser(workspace.api),
    ];
    const type = await typeOf({ host_ids: [leaver.id, one.id, two.id], scheduling: 'single' });
    const lonely = await typeOf({ host_ids: [leaver.id] });
    await meet({ host_id: one.id });
    const [first, second, third] = [
      await meet({ type_id: type, host_id: leaver.id }),
      await meet({ type_id: type, host_id: leaver.id, starts_at: at(1) }),
      await meet({ type_id: lonely, host_id: leaver.id, starts_at: at(2) }),
    ];
    (await leave(leaver.id, 'team')).expect(200);
    await drained(server, workspace);
    expect(await hostsOf(first)).toEqual(alone(two.id));
    expect(await hostsOf(second)).toEqual(alone(one.id));
    expect(await hostsOf(third)).toEqual(alone(leaver.id));
  });

  it('keep no directory from deactivating anybody', async () => {
    const mapped = { users_without_mapping: 'light_agent', safety: { max_deactivations_pct: 100 } };
    const body = { type: 'json', name: 'Head office', ...mapped };
    const connection = (await workspace.api.post('/active-directory/connections', body)).expect(201).data;
    const push = async (values: object = {}): Promise<Fields | undefined> => {
      const sent = { connection_id: connection.id, users: [pushed('ada', values)] };
      (await workspace.api.post('/active-directory/import', sent)).expect(200);
      await drained(server, workspace);
      return (await workspace.api.get('/users?email=ada@acme.example')).expect(200).rows[0];
    };
    const ada = await push();
    const other = await makeUser(workspace.api);
    const type = await typeOf({ host_ids: [ada?.id, other.id] });
    const id = await meet({ type_id: type, host_id: ada?.id });
    expect(await push({ enabled: false })).toMatchObject({ id: ada?.id, status: 'deactivated' });
    expect(await hostsOf(id)).toEqual(alone(other.id));
  });
});

describe('who has left', () => {
  it('is offered and booked by nobody', async () => {
    const [leaver, other] = [await makeUser(workspace.api), await makeUser(workspace.api)];
    const type = await typeOf({ host_ids: [leaver.id, other.id] });
    (await leave(leaver.id)).expect(200);
    const { slots } = (await workspace.api.get(`/meetings/availability?type_id=${type}&from=${at(0)}`)).expect(200)
      .data as unknown as { slots: { host_ids: number[] }[] };
    expect([...new Set(slots.flatMap(({ host_ids }) => host_ids))]).toEqual([other.id]);
    const booked = await workspace.api.post('/meetings', { type_id: type, host_id: leaver.id, starts_at: at(0) });
    expect(booked.expect(422).codes).toEqual({ host_id: 'inactive' });
    expect(await hostsOf(await meet({ type_id: type }))).toEqual(alone(other.id));
  });

  it('gets no meeting that is booked in the same moment', async () => {
    for (let attempt = 0; attempt < 5; attempt++) {
      const { id } = await makeUser(workspace.api);
      const [booked, left] = await Promise.all([
        workspace.api.post('/meetings', { title: 'Demo', host_id: id, starts_at: at(0) }),
        leave(id),
      ]);
      expect([
        [201, 422],
        [422, 200],
      ]).toContainEqual([booked.status, left.status]);
    }
  });
});
