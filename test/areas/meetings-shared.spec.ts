import { SharedMeetings } from '../../src/areas/meetings/shared-meetings';
import type { Answer } from '../support/api';
import { useApp } from '../support/app';
import { makeUser } from '../support/cast';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await makeWorkspace(server);
});

const TOMORROW = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
const WEEKLY = Object.fromEntries(
  ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, [['09:00', '17:00']]]),
);

/** Meetings of three seats: their type, and when they can be. */
async function offered(): Promise<{ type: number; starts: string[] }> {
  const { id: host } = await makeUser(workspace.api);
  const schedule = { mode: 'business_hours', timezone: 'Europe/Berlin', weekly: WEEKLY };
  const body = { name: 'Training', duration_minutes: 60, schedule, host_ids: [host], seats: 3 };
  const type = (await workspace.api.post('/meetings/types', body)).expect(201).data.id;
  const found = await workspace.api.get(`/meetings/availability?from=${TOMORROW}&type_id=${type}`);
  const { slots } = found.expect(200).data as unknown as { slots: { starts_at: string }[] };
  return { type, starts: slots.map(({ starts_at }) => starts_at) };
}

const book = (type_id: number, starts_at: string | undefined, name: string): Promise<Answer> =>
  workspace.api.post('/meetings', { type_id, starts_at, attendees: [{ email: `${name}@people.example` }] });

it.each([
  ['is called off', (id: number) => workspace.api.delete(`/meetings/${id}`)],
  ['is moved', (id: number, [, other]: string[]) => workspace.api.patch(`/meetings/${id}`, { starts_at: other })],
])('a shared meeting that %s while somebody joins it is not joined', async (_how, change) => {
  const { type, starts } = await offered();
  const first = (await book(type, starts[0], 'ada')).expect(201).data;
  const shared = server.app.get(SharedMeetings, { strict: false });
  const seatFor = shared.seatFor.bind(shared);
  const spy = jest.spyOn(shared, 'seatFor').mockImplementationOnce(async (body) => {
    const seat = await seatFor(body);
    (await change(first.id, starts)).expect(200);
    return seat;
  });
  const second = (await book(type, starts[0], 'bob')).expect(201).data;
  spy.mockRestore();
  expect(second.id).not.toBe(first.id);
  expect(second).toMatchObject({
    ...{ status: 'scheduled', starts_at: starts[0] },
    attendees: [{ email: 'bob@people.example' }],
  });
  const third = (await book(type, starts[0], 'cleo')).expect(201).data;
  expect([third.id, third.attendees]).toMatchObject([second.id, [{}, { email: 'cleo@people.example' }]]);
});
