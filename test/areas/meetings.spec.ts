import { Tokens } from '../../src/platform/auth/tokens.service';
import { Api } from '../support/api';
import { useApp } from '../support/app';
import { makeUser } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { useSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
let workspace: TestWorkspace;
let host: number;
let day = 0;

beforeAll(async () => {
  workspace = await makeWorkspace(server);
  host = (await makeUser(workspace.api, { timezone: 'Europe/Rome' })).id;
});

/** A moment of a day that no other test of this file uses. */
function freshDay(): (time: string) => string {
  const date = new Date(Date.UTC(2031, 2, 1) + ++day * 86_400_000).toISOString().slice(0, 10);
  return (time) => `${date}T${time}:00.000Z`;
}

const book = (body: Record<string, unknown>, query = '') =>
  workspace.api.post(`/meetings${query}`, { title: 'Call', host_id: host, ...body });

/** A meeting that has begun. */
async function begun(): Promise<number> {
  const { id } = (await book({ starts_at: freshDay()('09:00') })).expect(201).data;
  await sql.rows(
    `WITH m AS (UPDATE meetings SET starts_at = now() - interval '1 hour' - $2 * interval '1 day', ends_at = now() - interval '30 minutes' - $2 * interval '1 day' WHERE id = $1 AND workspace_id = $3)
     DELETE FROM meeting_hosts WHERE meeting_id = $1 AND workspace_id = $3`,
    [id, day, workspace.id],
  );
  return id;
}

const typesOf = async (id: number): Promise<string[]> =>
  (await eventsOf(server, workspace, 'meeting', id)).map(({ type }) => type);

async function userToken(role: string): Promise<{ id: number; api: Api }> {
  const { id } = await makeUser(workspace.api, { role });
  const { token } = await server.app
    .get(Tokens)
    .create({ workspaceId: workspace.id, scopes: ['read', 'write'], userId: id });
  return { id, api: new Api(server.url, token) };
}

describe('a booking', () => {
  it('takes what it does not say from the host and what is usual', async () => {
    const at = freshDay();
    const { data } = (await book({ starts_at: at('09:00') })).expect(201);
    expect(data).toMatchObject({
      host_id: host,
      host_ids: [host],
      timezone: 'Europe/Rome',
      ends_at: at('09:30'),
      duration_minutes: 30,
      status: 'scheduled',
      location_type: 'video',
      attendees: [],
      reminders: [1_440, 60],
      ical_sequence: 0,
      forced: false,
    });
    expect(data.ical_uid).toMatch(/^[0-9a-f-]{36}@/);
  });

  it('is for the user of the token unless it names a host', async () => {
    const agent = await userToken('agent');
    const { data } = (await agent.api.post('/meetings', { title: 'Mine', starts_at: freshDay()('09:00') })).expect(201);
    expect(data.host_id).toBe(agent.id);
  });

  it('needs a title without a type', async () => {
    const answer = (await workspace.api.post('/meetings', { starts_at: freshDay()('09:00'), host_id: host })).expect(
      422,
    );
    expect([answer.codes, answer.error.missing]).toEqual([{ title: 'required' }, ['title']]);
  });

  it('cannot begin as what it can only become', async () => {
    for (const status of ['completed', 'cancelled', 'rejected', 'no_show']) {
      const answer = await book({ starts_at: freshDay()('09:00'), status });
      expect([status, answer.status, answer.codes]).toEqual([status, 422, { status: 'invalid_transition' }]);
    }
  });

  it('is refused for a host who is gone', async () => {
    const { id } = await makeUser(workspace.api);
    (await workspace.api.delete(`/users/${id}`)).expect(200);
    expect((await book({ host_id: id, starts_at: freshDay()('09:00') })).expect(422).codes).toEqual({
      host_id: 'inactive',
    });
  });

  it.each([
    ['the same time', '10:00', 60, 422],
    ['its beginning', '09:45', 30, 422],
    ['its middle', '10:20', 10, 422],
    ['all of it', '09:00', 180, 422],
    ['the time just before', '09:30', 30, 201],
    ['the time just after', '11:00', 30, 201],
  ])('of %s of another meeting', async (_name, time, duration_minutes, status) => {
    const at = freshDay();
    (await book({ starts_at: at('10:00'), duration_minutes: 60 })).expect(201);
    const answer = await book({ starts_at: at(time), duration_minutes });
    expect(answer.status).toBe(status);
    if (status === 422) expect(answer.codes).toEqual({ starts_at: 'slot_unavailable' });
  });

  it('is free again once the other is cancelled, and then the other cannot come back', async () => {
    const starts_at = freshDay()('10:00');
    const { id } = (await book({ starts_at })).expect(201).data;
    (await workspace.api.delete(`/meetings/${id}`)).expect(200);
    (await book({ starts_at })).expect(201);
    const back = await workspace.api.patch(`/meetings/${id}`, { status: 'scheduled' });
    expect([back.status, back.codes]).toEqual([422, { status: 'invalid_transition' }]);
  });

  it('can be forced by admins and whoever may do everything, and is then marked', async () => {
    const starts_at = freshDay()('10:00');
    (await book({ starts_at })).expect(201);
    expect((await book({ starts_at }, '?force=true')).expect(201).data.forced).toBe(true);
    const [admin, agent] = [await userToken('admin'), await userToken('agent')];
    (await admin.api.post('/meetings?force=true', { title: 'x', host_id: host, starts_at })).expect(201);
    const refused = await agent.api.post('/meetings?force=true', { title: 'x', host_id: host, starts_at });
    expect([refused.status, refused.error.type]).toEqual([403, 'insufficient_scope']);
    expect((await book({ starts_at }, '?force=false')).expect(422).codes).toEqual({ starts_at: 'slot_unavailable' });
    expect((await book({ starts_at }, '?force=yes')).expect(422).codes).toEqual({ force: 'enum' });
    expect((await book({ starts_at: freshDay()('10:00') }, '?force=true')).expect(201).data.forced).toBe(false);
  });
});

describe('a change of the time', () => {
  it('moves the meeting, asks attendees again and announces it once', async () => {
    const at = freshDay();
    const attendees = [{ email: 'ada@people.example', response: 'accepted' }];
    const { id } = (await book({ starts_at: at('09:00'), attendees })).expect(201).data;
    const { data } = (await workspace.api.patch(`/meetings/${id}`, { starts_at: at('13:00') })).expect(200);
    expect(data).toMatchObject({
      starts_at: at('13:00'),
      ends_at: at('13:30'),
      previous_starts_at: at('09:00'),
      rescheduled_count: 1,
      ical_sequence: 1,
      attendees: [{ email: 'ada@people.example', response: 'needs_action' }],
    });
    const longer = (await workspace.api.patch(`/meetings/${id}`, { ...data, ends_at: at('14:00') })).expect(200).data;
    expect(longer).toMatchObject({ duration_minutes: 60, rescheduled_count: 2, ical_sequence: 2 });
    expect(await typesOf(id)).toEqual([
      'meeting.created', 'meeting.updated', 'meeting.rescheduled', 'meeting.updated', 'meeting.rescheduled',
    ]); // prettier-ignore
    (await book({ starts_at: at('09:00') })).expect(201);
  });

  it('is not in its own way, but in that of others', async () => {
    const at = freshDay();
    const { id } = (await book({ starts_at: at('09:00'), duration_minutes: 60 })).expect(201).data;
    (await book({ starts_at: at('11:00') })).expect(201);
    (await workspace.api.patch(`/meetings/${id}`, { starts_at: at('09:30') })).expect(200);
    const taken = await workspace.api.patch(`/meetings/${id}`, { starts_at: at('10:30') });
    expect([taken.status, taken.codes]).toEqual([422, { starts_at: 'slot_unavailable' }]);
    const stretched = await workspace.api.patch(`/meetings/${id}`, { duration_minutes: 120 });
    expect([stretched.status, stretched.codes]).toEqual([422, { starts_at: 'slot_unavailable' }]);
    expect(
      (await workspace.api.patch(`/meetings/${id}?force=true`, { starts_at: at('10:30') })).expect(200).data.forced,
    ).toBe(true);
  });

  it('or of the host needs the new one to be free', async () => {
    const at = freshDay();
    const { id: other } = await makeUser(workspace.api);
    const { id } = (await book({ starts_at: at('09:00') })).expect(201).data;
    const taken = (await book({ host_id: other, starts_at: at('09:15') })).expect(201).data;
    expect((await workspace.api.patch(`/meetings/${id}`, { host_id: other })).expect(422).codes).toEqual({
      starts_at: 'slot_unavailable',
    });
    (await workspace.api.delete(`/meetings/${taken.id}`)).expect(200);
    expect((await workspace.api.patch(`/meetings/${id}`, { host_id: other })).expect(200).data).toMatchObject({
      host_id: other,
      host_ids: [other],
    });
    (await book({ starts_at: at('09:00') })).expect(201);
    expect((await book({ host_id: other, starts_at: at('09:00') })).expect(422).codes).toEqual({
      starts_at: 'slot_unavailable',
    });
  });

  it('is refused once the meeting is over or called off', async () => {
    const at = freshDay();
    const { id } = (await book({ starts_at: at('09:00') })).expect(201).data;
    (await workspace.api.delete(`/meetings/${id}`)).expect(200);
    const answer = await workspace.api.patch(`/meetings/${id}`, { starts_at: at('12:00') });
    expect([answer.status, answer.codes]).toEqual([422, { starts_at: 'not_ahead' }]);
  });
});

describe('the status', () => {
  it('follows requests by PATCH and by actions alike, with an event each', async () => {
    const pending = async (): Promise<number> =>
      (await book({ starts_at: freshDay()('09:00'), status: 'pending' })).expect(201).data.id;
    const [first, second, third] = [await pending(), await pending(), await pending()];
    expect((await workspace.api.post(`/meetings/${first}/confirm`)).expect(200).data.status).toBe('scheduled');
    expect((await workspace.api.patch(`/meetings/${second}`, { status: 'scheduled' })).expect(200).data.status).toBe(
      'scheduled',
    );
    const rejected = (await workspace.api.post(`/meetings/${third}/reject`, { reason: 'No room' })).expect(200).data;
    expect(rejected).toMatchObject({ status: 'rejected', cancellation_reason: 'No room', ical_sequence: 1 });
    expect(await typesOf(first)).toEqual(['meeting.created', 'meeting.updated', 'meeting.confirmed']);
    expect(await typesOf(second)).toEqual(['meeting.created', 'meeting.updated', 'meeting.confirmed']);
    expect(await typesOf(third)).toEqual(['meeting.created', 'meeting.updated', 'meeting.rejected']);
    const again = await workspace.api.post(`/meetings/${third}/confirm`);
    expect(again.error.details).toMatchObject([
      { field: 'status', code: 'invalid_transition', from: 'rejected', to: 'scheduled', allowed: [] },
    ]);
  });

  it('becomes completed or no_show only after the start, and the one can become the other', async () => {
    const { id: future } = (await book({ starts_at: freshDay()('09:00') })).expect(201).data;
    for (const action of ['complete', 'no-show']) {
      expect((await workspace.api.post(`/meetings/${future}/${action}`)).expect(422).codes).toEqual({
        status: 'invalid_transition',
      });
    }
    const id = await begun();
    expect((await workspace.api.post(`/meetings/${id}/complete`)).expect(200).data.status).toBe('completed');
    expect((await workspace.api.post(`/meetings/${id}/no-show`)).expect(200).data.status).toBe('no_show');
    await sql.rows(`UPDATE meetings SET concluded_at = now() - interval '8 days' WHERE workspace_id = $1 AND id = $2`, [
      workspace.id,
      id,
    ]);
    expect((await workspace.api.post(`/meetings/${id}/complete`)).expect(422).codes).toEqual({
      status: 'invalid_transition',
    });
    expect((await workspace.api.delete(`/meetings/${id}`)).expect(422).codes).toEqual({ status: 'invalid_transition' });
    expect(await typesOf(id)).toEqual([
      'meeting.created',
      'meeting.updated',
      'meeting.completed',
      'meeting.updated',
      'meeting.no_show',
    ]);
  });

  it('cancelled by DELETE says who and why, once', async () => {
    const agent = await userToken('agent');
    const { id } = (await book({ starts_at: freshDay()('09:00') })).expect(201).data;
    const { data } = (await agent.api.delete(`/meetings/${id}?reason=Ill`)).expect(200);
    expect(data).toMatchObject({
      status: 'cancelled',
      cancellation_reason: 'Ill',
      cancelled_by: agent.id,
      ical_sequence: 1,
    });
    expect((await agent.api.delete(`/meetings/${id}?reason=Other`)).expect(200).data).toEqual(data);
    expect(await typesOf(id)).toEqual(['meeting.created', 'meeting.updated', 'meeting.cancelled']);
  });

  it('has a reason only when it is called off', async () => {
    const { id } = (await book({ starts_at: freshDay()('09:00') })).expect(201).data;
    const answer = await workspace.api.patch(`/meetings/${id}`, { cancellation_reason: 'Why not' });
    expect([answer.status, answer.codes]).toEqual([422, { cancellation_reason: 'not_cancelled' }]);
  });
});
