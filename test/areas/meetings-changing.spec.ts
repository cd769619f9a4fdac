import { useApp } from '../support/app';
import type { Answer } from '../support/api';
import { makeUser } from '../support/cast';
import { insist } from '../support/insist';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await makeWorkspace(server);
});

interface Slot {
  starts_at: string;
  local_starts_at: string;
}

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const daily = (from: string, to: string): object => ({
  mode: 'business_hours',
  timezone: 'Europe/Berlin',
  weekly: Object.fromEntries(DAYS.map((day) => [day, [[from, to]]])),
});
const TOMORROW = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

async function hosts(...hours: object[]): Promise<number[]> {
  const made = await Promise.all(hours.map((schedule) => makeUser(workspace.api, { schedule })));
  return made.map(({ id }) => id);
}

/** A type that is met in the hours of its hosts. */
async function typeOf(body: Record<string, unknown>): Promise<number> {
  const rules = { name: 'Type', duration_minutes: 60, ...body };
  return (await workspace.api.post('/meetings/types', rules)).expect(201).data.id;
}

async function slotsOf(type: number, host?: number): Promise<Slot[]> {
  const path = `/meetings/availability?from=${TOMORROW}&timezone=Europe/Berlin&type_id=${type}&host_id=${host}`;
  return (await workspace.api.get(path)).expect(200).data.slots as Slot[];
}

const book = (type_id: number, host_id: number | undefined, slot: Slot | undefined): Promise<Answer> =>
  insist(() => workspace.api.post('/meetings', { type_id, host_id, starts_at: slot?.starts_at }));

describe('a meeting of a type', () => {
  it('keeps the hosts and the duration of its type when it is changed, unless an admin insists', async () => {
    const hours = daily('09:00', '17:00');
    const [host, other, stranger] = await hosts(hours, hours, hours);
    const type = await typeOf({ host_ids: [host, other], duration_minutes: 30 });
    const [slot] = await slotsOf(type, host);
    const { id, ends_at } = (await book(type, host, slot)).expect(201).data;
    const change = (body: object, query = ''): Promise<Answer> => workspace.api.patch(`/meetings/${id}${query}`, body);
    expect((await change({ host_id: stranger })).expect(422).codes).toEqual({ host_id: 'not_a_host' });
    expect((await change({ host_id: stranger }, '?force=true')).expect(422).codes).toEqual({ host_id: 'not_a_host' });
    const later = new Date(Date.parse(String(ends_at)) + 30 * 60_000).toISOString();
    for (const body of [{ duration_minutes: 600 }, { duration_minutes: 15 }, { ends_at: later }])
      expect((await change(body)).expect(422).codes).toEqual({ duration_minutes: 'duration_of_type' });
    const free = { title: 'Other title', internal_notes: 'x', duration_minutes: 30, ends_at, host_id: host };
    expect((await change(free)).expect(200).data).toMatchObject({ title: 'Other title', duration_minutes: 30 });
    expect((await change({ host_id: other })).expect(200).data).toMatchObject({ host_id: other, forced: false });
    const forced = (await change({ duration_minutes: 600 }, '?force=true')).expect(200).data;
    expect(forced).toMatchObject({ duration_minutes: 600, forced: true });
    (await change({ internal_notes: 'as it is' })).expect(200);
    expect((await change({ duration_minutes: 30 })).expect(200).data).toMatchObject({ forced: false });
  });

  it('goes to another host only in the hours of that one, also when it is too soon to be booked', async () => {
    const [host, other] = await hosts(daily('09:00', '17:00'), daily('13:00', '15:00'));
    const type = await typeOf({ host_ids: [host, other] });
    const slots = await slotsOf(type, host);
    const at = (hour: string): Slot | undefined => slots.find((slot) => slot.local_starts_at.slice(11, 16) === hour);
    const booked: number[] = [];
    for (const slot of [at('09:00'), at('13:00')]) booked.push((await book(type, host, slot)).expect(201).data.id);
    (await workspace.api.patch(`/meetings/types/${type}`, { minimum_notice_minutes: 525_600 })).expect(200);
    const give = (id: number | undefined): Promise<Answer> =>
      workspace.api.patch(`/meetings/${id}`, { host_id: other });
    expect((await give(booked[0])).expect(422).codes).toEqual({ starts_at: 'slot_unavailable' });
    expect((await give(booked[1])).expect(200).data).toMatchObject({ host_id: other });
  });
});
