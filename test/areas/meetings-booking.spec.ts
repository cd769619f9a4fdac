import { useApp } from '../support/app';
import type { Answer } from '../support/api';
import { makeUser } from '../support/cast';
import { insist } from '../support/insist';
import { makePlan, makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await makeWorkspace(server, { plan: await makePlan(server, {}) });
});

interface Slot {
  starts_at: string;
  ends_at: string;
  local_starts_at: string;
  host_ids: number[];
  seats_left?: number;
}

interface Found {
  timezone: string;
  duration_minutes: number;
  slots: Slot[];
  days: Record<string, string[]>;
}

const HOURS = {
  mode: 'business_hours',
  timezone: 'Europe/Berlin',
  weekly: Object.fromEntries(
    ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, [['09:00', '17:00']]]),
  ),
};

/** Made one after the other, so that they are in order. */
async function hosts(count: number): Promise<number[]> {
  return count === 0 ? [] : [...(await hosts(count - 1)), (await makeUser(workspace.api)).id];
}

async function typeOf(body: Record<string, unknown>): Promise<number> {
  const rules = { name: 'Type', duration_minutes: 60, schedule: HOURS, ...body };
  return (await workspace.api.post('/meetings/types', rules)).expect(201).data.id;
}

const [TOMORROW = '', DAY_AFTER] = [1, 2].map((days) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
);
/** The week from tomorrow: of its slots none comes too close, and none is added, while a test runs. */
const find = async (query: string, from = TOMORROW): Promise<Found> =>
  (await workspace.api.get(`/meetings/availability?from=${from}&${query}`)).expect(200).data as unknown as Found;
const slotsOf = async (type: number, more = ''): Promise<Slot[]> => (await find(`type_id=${type}${more}`)).slots;
const book = (type_id: number, starts_at: string | undefined, more: Record<string, unknown> = {}): Promise<Answer> =>
  insist(() => workspace.api.post('/meetings', { type_id, starts_at, ...more }));
const move = (id: number, slot?: Slot): Promise<Answer> =>
  insist(() => workspace.api.patch(`/meetings/${id}`, { starts_at: slot?.starts_at }));
const statuses = (answers: readonly Answer[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

describe('at one moment', () => {
  it('200 bookings of one slot make one meeting', async () => {
    const [host] = await hosts(1);
    const type = await typeOf({ host_ids: [host] });
    const [slot] = await slotsOf(type);
    const answers = await Promise.all(Array.from({ length: 200 }, () => book(type, slot?.starts_at)));
    expect(statuses(answers)).toEqual({ 201: 1, 422: 199 });
    for (const refused of answers.filter(({ status }) => status === 422))
      expect(refused.codes).toEqual({ starts_at: 'slot_unavailable' });
  });

  it('bookings of a slot go to every free host of a round robin, and no further', async () => {
    const ids = await hosts(3);
    const type = await typeOf({ host_ids: ids, scheduling: 'round_robin' });
    const [slot] = await slotsOf(type);
    const answers = await Promise.all(Array.from({ length: 12 }, () => book(type, slot?.starts_at)));
    expect(statuses(answers)).toEqual({ 201: 3, 422: 9 });
    const made = answers.filter(({ status }) => status === 201).map(({ data }) => data.host_id as number);
    expect(made.sort((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b));
  });

  it('two types that share hosts, and meetings moved across, never overlap', async () => {
    const [ada, bob] = await hosts(2);
    const both = await typeOf({ host_ids: [ada, bob], scheduling: 'collective' });
    const one = await typeOf({ host_ids: [bob, ada], scheduling: 'round_robin', duration_minutes: 30 });
    const slots = await slotsOf(both);
    const moved = (await book(both, slots[3]?.starts_at)).expect(201).data.id;
    const [slot] = slots;
    const answers = await Promise.all(
      Array.from({ length: 15 }, (_, index) => [
        book(both, slot?.starts_at),
        book(one, slot?.starts_at),
        move(moved, index % 2 ? slot : slots[3]),
      ]).flat(),
    );
    expect(Object.keys(statuses(answers)).filter((status) => !['200', '201', '422'].includes(status))).toEqual([]);
    const meetings = (await workspace.api.get(`/meetings?host_id=${ada},${bob}&status=scheduled&per_page=100`)).expect(
      200,
    ).rows;
    for (const host of [ada, bob]) {
      const own = meetings.filter((meeting) => (meeting.host_ids as number[]).includes(host ?? 0));
      own.forEach((meeting, index) => {
        if (index > 0)
          expect(Date.parse(meeting.starts_at as string)).toBeGreaterThanOrEqual(
            Date.parse(own[index - 1]?.ends_at as string),
          );
      });
    }
  });

  it('the most per day holds', async () => {
    const [host] = await hosts(1);
    const type = await typeOf({ host_ids: [host], max_per_day: 2 });
    const found = await find(`type_id=${type}&timezone=Europe/Berlin`);
    const [day = ''] = Object.keys(found.days).slice(1);
    const ofDay = found.slots.filter(({ local_starts_at: start }) => start.startsWith(day));
    expect(ofDay).toHaveLength(8);
    const answers = await Promise.all(ofDay.map(({ starts_at }) => book(type, starts_at)));
    expect(statuses(answers)).toEqual({ 201: 2, 422: 6 });
    expect((await find(`type_id=${type}&timezone=Europe/Berlin`)).days[day]).toBeUndefined();
  });

  it('seats are given away once', async () => {
    const [host] = await hosts(1);
    const type = await typeOf({ host_ids: [host], seats: 5 });
    const [slot] = await slotsOf(type);
    expect(slot?.seats_left).toBe(5);
    const guest = (index: number) => ({ attendees: [{ email: `guest${index}@people.example` }] });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => book(type, slot?.starts_at, guest(index))),
    );
    expect(statuses(answers)).toEqual({ 201: 5, 422: 7 });
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ data }) => data.id)).size).toBe(1);
    const meeting = (await workspace.api.get(`/meetings/${made[0]?.data.id}`)).expect(200).data;
    expect(meeting.attendees).toHaveLength(5);
    expect((await slotsOf(type)).some(({ starts_at }) => starts_at === slot?.starts_at)).toBe(false);
    expect((await book(type, slot?.starts_at)).expect(422).codes).toEqual({ attendees: 'required' });
  });
});

describe('what is shown', () => {
  it('can be booked, every slot of it, and what is not shown cannot', async () => {
    const [host] = await hosts(1);
    const type = await typeOf({
      host_ids: [host],
      duration_minutes: 45,
      slot_interval_minutes: 60,
      buffer_after_minutes: 15,
      booking_window_days: 3,
    });
    const whole = `&to=${DAY_AFTER}`;
    const shown = await slotsOf(type, whole);
    expect(shown.length).toBeGreaterThan(8);
    for (const { starts_at } of shown.slice(0, 10)) (await book(type, starts_at)).expect(201);
    const left = new Set((await slotsOf(type, whole)).map(({ starts_at }) => starts_at));
    expect([...left]).toEqual(shown.slice(10).map(({ starts_at }) => starts_at));
    const last = Date.parse(shown.at(-1)?.starts_at ?? '');
    for (const offset of [-30, 15, 600, 3 * 1_440]) {
      const answer = await book(type, new Date(last + offset * 60_000).toISOString());
      expect([offset, answer.status, answer.codes]).toEqual([offset, 422, { starts_at: 'slot_unavailable' }]);
    }
    const soon = (await book(type, new Date(Date.now() + 60_000).toISOString())).expect(422);
    expect(soon.error.message).toContain('120 minutes of notice');
  });

  it('asks for the duration of the type, its hosts, and that it is active', async () => {
    const [host, stranger] = await hosts(2);
    const type = await typeOf({ host_ids: [host] });
    const [slot] = await slotsOf(type);
    expect((await book(type, slot?.starts_at, { duration_minutes: 30 })).expect(422).codes).toEqual({
      duration_minutes: 'duration_of_type',
    });
    expect((await book(type, slot?.starts_at, { host_id: stranger })).expect(422).codes).toEqual({
      host_id: 'not_a_host',
    });
    (await workspace.api.patch(`/meetings/types/${type}`, { is_active: false })).expect(200);
    expect((await book(type, slot?.starts_at)).expect(422).codes).toEqual({ type_id: 'inactive' });
    expect(await slotsOf(type)).toEqual([]);
  });

  it('takes title, place and confirmation from the type', async () => {
    const [host] = await hosts(1);
    const type = await typeOf({
      name: 'Site visit',
      host_ids: [host],
      location_type: 'in_person',
      requires_confirmation: true,
    });
    const [slot] = await slotsOf(type);
    expect((await book(type, slot?.starts_at)).expect(201).data).toMatchObject({
      title: 'Site visit',
      location_type: 'in_person',
      status: 'pending',
    });
    expect((await slotsOf(type)).map(({ starts_at }) => starts_at)).not.toContain(slot?.starts_at);
  });

  it('moves to a slot by the rules of its type', async () => {
    const [host] = await hosts(1);
    const type = await typeOf({ host_ids: [host] });
    const [first, second] = await slotsOf(type);
    const { id } = (await book(type, first?.starts_at)).expect(201).data;
    (await move(id, second)).expect(200);
    const night = `${first?.starts_at.slice(0, 10)}T01:00:00Z`;
    expect((await workspace.api.patch(`/meetings/${id}`, { starts_at: night })).expect(422).codes).toEqual({
      starts_at: 'slot_unavailable',
    });
  });

  it('is what all hosts of a collective type have in common', async () => {
    const ids = await hosts(2);
    const own = {
      ...HOURS,
      weekly: { ...HOURS.weekly, mon: [['13:00', '15:00']], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] },
    };
    (await workspace.api.patch(`/users/${ids[1]}`, { schedule: own })).expect(200);
    const type = await typeOf({ host_ids: ids, scheduling: 'collective', schedule: null, booking_window_days: 30 });
    const { slots } = await find(`type_id=${type}&timezone=Europe/Berlin`);
    expect(slots.map(({ local_starts_at: start }) => start.slice(11, 16))).toEqual(['13:00', '14:00']);
    expect(slots[0]?.host_ids).toEqual(ids);
    const { data } = (await book(type, slots[0]?.starts_at)).expect(201);
    expect([data.host_id, data.host_ids]).toEqual([ids[0], ids]);
    for (const host_id of ids) {
      const answer = await workspace.api.post('/meetings', { title: 'x', host_id, starts_at: slots[0]?.starts_at });
      expect([answer.status, answer.codes]).toEqual([422, { starts_at: 'slot_unavailable' }]);
    }
  });

  it('goes round: who has had the fewest is next', async () => {
    const ids = await hosts(3);
    const type = await typeOf({ host_ids: ids, scheduling: 'round_robin' });
    const slots = await slotsOf(type);
    const order: unknown[] = [];
    for (const slot of slots.slice(0, 6)) order.push((await book(type, slot.starts_at)).expect(201).data.host_id);
    expect(order).toEqual([...ids, ...ids]);
  });

  it('leaves out absences, and hosts who have left', async () => {
    const ids = await hosts(2);
    const type = await typeOf({ host_ids: ids, scheduling: 'round_robin' });
    (await workspace.api.patch(`/users/${ids[0]}`, { out_of_office: { from: '2020-01-01T00:00:00Z' } })).expect(200);
    expect(new Set((await slotsOf(type)).flatMap(({ host_ids: free }) => free))).toEqual(new Set([ids[1]]));
    (await workspace.api.delete(`/users/${ids[1]}`)).expect(200);
    expect(await slotsOf(type)).toEqual([]);
  });
});

describe('GET /meetings/availability', () => {
  it('answers UTC and the wall clock of the zone asked for, by local day', async () => {
    const [host] = await hosts(1);
    const type = await typeOf({
      host_ids: [host],
      booking_window_days: 730,
      schedule: { ...HOURS, timezone: 'Australia/Lord_Howe' },
    });
    // The clocks change on the first Sunday of April, which may be the first.
    const year = new Date().getUTCFullYear() + 1;
    const found = await find(`type_id=${type}&timezone=Australia/Lord_Howe&to=${year}-04-08`, `${year}-03-30`);
    expect(Object.keys(found.days)).toHaveLength(10);
    for (const [day, starts] of Object.entries(found.days)) {
      expect(starts.map((text) => text.slice(0, 16))).toEqual(
        ['09', '10', '11', '12', '13', '14', '15', '16'].map((hour) => `${day}T${hour}:00`),
      );
    }
    expect(new Set(found.slots.map(({ local_starts_at: text }) => text.slice(-6)))).toEqual(
      new Set(['+11:00', '+10:30']),
    );
    expect(found.slots.every((slot) => Date.parse(slot.local_starts_at) === Date.parse(slot.starts_at))).toBe(true);
    const elsewhere = await find(`type_id=${type}&timezone=America/New_York&to=${year}-04-08`, `${year}-03-30`);
    expect(Object.keys(elsewhere.days)[0]).toBe(`${year}-03-30`);
    expect(elsewhere.slots[0]?.starts_at).not.toBe(found.slots[0]?.starts_at);
  });

  it.each([
    ['type_id=8999999999999', { type_id: 'not_found' }],
    ['host_id=8999999999999', { host_id: 'not_found' }],
    ['timezone=Mars', { timezone: 'unknown_time_zone' }],
    ['from=2026-01-01&to=2026-03-01', { to: 'max' }],
    ['from=x', { from: 'format' }],
  ])('refuses %s', async (query, codes) => {
    expect((await workspace.api.get(`/meetings/availability?${query}`)).expect(422).codes).toEqual(codes);
  });

  it('without a type shows when named hosts are free, and such a slot can be booked', async () => {
    const [ada, bob] = await hosts(2);
    const query = `host_id=${ada},${bob}&duration_minutes=45`;
    const { slots, duration_minutes: minutes } = await find(query);
    expect(minutes).toBe(45);
    const slot = slots.at(-1);
    expect(slot?.host_ids).toEqual([ada, bob]);
    const body = { title: 'x', host_id: ada, starts_at: slot?.starts_at, ends_at: slot?.ends_at };
    (await workspace.api.post('/meetings', body)).expect(201);
    expect((await find(query)).slots.at(-1)?.host_ids).toEqual([bob]);
  });
});
