import fc from 'fast-check';
import { orderedHolidays } from '../../src/areas/schedules/holidays';
import { leaving } from '../../src/areas/sla/sla-schedules';
import type { Holiday } from '../../src/platform/calendar/schedule';
import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { make, makeTicket } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { insist } from '../support/insist';
import { drained } from '../support/jobs';
import { targets } from '../support/sla';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

const ALWAYS = Object.fromEntries(
  ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'].map((day) => [day, [['00:00', '24:00']]]),
);
const patch = async (path: string, body: object): Promise<Fields> =>
  (await workspace.api.patch(path, body)).expect(200).data;
const get = async (path: string): Promise<Fields> => (await workspace.api.get(path)).expect(200).data;
const policyWith = async (body: object): Promise<Fields> =>
  make(workspace.api, '/sla', { targets: targets(10, 20), ...body });
const hoursOf = ({ timezone, weekly, holidays }: Fields): object => ({
  mode: 'business_hours',
  timezone,
  weekly,
  holidays,
});

describe('a schedule', () => {
  it('has office hours in the zone of the workspace unless it says otherwise', async () => {
    await patch('/workspace', { timezone: 'Europe/Rome' });
    const made = await make(workspace.api, '/schedules');
    expect(made).toMatchObject({ timezone: 'Europe/Rome', holidays: [], is_default: false });
    expect(Object.keys(made.weekly as object).sort()).toEqual(['fri', 'mon', 'thu', 'tue', 'wed']);
  });

  it('is the default alone, whoever else wanted to be', async () => {
    const first = await make(workspace.api, '/schedules', { is_default: true });
    const second = await make(workspace.api, '/schedules', { is_default: true });
    expect((await get(`/schedules/${first.id}`)).is_default).toBe(false);
    const told = await eventsOf(server, workspace, 'schedule', first.id);
    expect(told.at(-1)).toMatchObject({ type: 'schedule.updated', changes: { is_default: { from: true, to: false } } });
    const answers = await Promise.all(
      [first, second].map(({ id }) => insist(() => workspace.api.patch(`/schedules/${id}`, { is_default: true }))),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await workspace.api.get('/schedules?is_default=true')).rows).toHaveLength(1);
  });

  it('keeps its holidays in order, each day once', async () => {
    const holidays = [
      { date: '2027-05-01' },
      { date: '2026-12-25', name: 'Christmas', recurring: true },
      { date: '2027-12-25', name: 'Christmas once more' },
      { date: '2027-05-01', name: 'May Day' },
    ];
    const made = await make(workspace.api, '/schedules', { holidays });
    expect(made.holidays).toEqual([
      { date: '2026-12-25', name: 'Christmas', recurring: true },
      { date: '2027-05-01', name: 'May Day' },
    ]);
  });
});

describe('SLA policies', () => {
  it('follow the schedule that they name, the default, or none', async () => {
    const night = await make(workspace.api, '/schedules', { weekly: { sat: [['00:00', '06:00']] } });
    const inline = await policyWith({});
    expect(inline).toMatchObject({ schedule_id: null, schedule: { mode: '24x7' } });
    const named = await policyWith({ schedule_id: night.id, schedule: { mode: '24x7' } });
    expect(named).toMatchObject({ schedule_id: night.id, schedule: hoursOf(night) });
    const office = await make(workspace.api, '/schedules', { is_default: true });
    expect(await policyWith({})).toMatchObject({ schedule_id: office.id, schedule: hoursOf(office) });
    expect(await policyWith({ schedule_id: null })).toMatchObject({ schedule_id: null, schedule: { mode: '24x7' } });
    expect(await policyWith({ schedule: { mode: '24x7' } })).toMatchObject({ schedule_id: null });
    const listed = await workspace.api.get(`/sla?schedule_id=${night.id}&expand=followed_schedule`);
    expect(listed.rows).toMatchObject([{ id: named.id, followed_schedule: { id: night.id } }]);
    const shown = await get(`/schedules/${night.id}?expand=sla_policies`);
    expect(shown.sla_policies).toMatchObject([{ id: named.id }]);
  });

  it('go their own way when they are given other hours', async () => {
    const office = await make(workspace.api, '/schedules');
    const policy = await policyWith({ schedule_id: office.id });
    const same = await patch(`/sla/${policy.id}`, { schedule: policy.schedule, name: 'Renamed' });
    expect(same.schedule_id).toBe(office.id);
    const alone = await patch(`/sla/${policy.id}`, { schedule: { mode: '24x7' } });
    expect(alone).toMatchObject({ schedule_id: null, schedule: { mode: '24x7' } });
    const back = await patch(`/sla/${policy.id}`, { schedule_id: office.id });
    expect(back.schedule).toEqual(hoursOf(office));
    expect(await patch(`/sla/${policy.id}`, { schedule_id: null })).toMatchObject({
      schedule_id: null,
      schedule: hoursOf(office),
    });
    const unknown = await workspace.api.patch(`/sla/${policy.id}`, { schedule_id: office.id + 1_000_000 });
    expect(unknown.expect(422).codes).toEqual({ schedule_id: 'not_found' });
  });

  it('change with it, in the same breath, and their open tickets after them', async () => {
    const schedule = await make(workspace.api, '/schedules', { timezone: 'UTC', weekly: ALWAYS });
    const follows = await policyWith({ schedule_id: schedule.id });
    const other = await policyWith({ schedule: hoursOf(schedule) });
    const ticketOf = async ({ id }: Fields): Promise<Fields> => {
      const company = await make(workspace.api, '/companies', { sla_policy_id: id });
      return makeTicket(workspace.api, { company_id: company.id });
    };
    const [moved, stays] = [await ticketOf(follows), await ticketOf(other)];
    const done = await ticketOf(follows);
    await patch(`/tickets/${done.id}`, { status: 'resolved' });
    const before = await get(`/tickets/${moved.id}`);
    const today = String(moved.created_at).slice(0, 10);
    const holidays = [0, 1].map((days) => ({
      date: new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10),
    }));
    await patch(`/schedules/${schedule.id}`, { holidays });
    expect((await get(`/sla/${follows.id}`)).schedule).toMatchObject({ holidays });
    expect((await get(`/sla/${other.id}`)).schedule).toMatchObject({ holidays: [] });
    const told = (await eventsOf(server, workspace, 'sla_policy', follows.id)).at(-1);
    expect(told).toMatchObject({ type: 'sla_policy.updated', changes: { schedule: { to: { holidays } } } });
    await drained(server, workspace);
    const after = await get(`/tickets/${moved.id}`);
    // What had passed of the twenty minutes before the change was on a day that turned out to be none.
    const due = Date.parse(holidays[1]?.date ?? '') + 86_400_000 + 20 * 60_000;
    expect(Date.parse(after.sla_due_at as string)).toBe(due);
    expect(before.sla_due_at).not.toBe(after.sla_due_at);
    expect((await get(`/tickets/${stays.id}`)).sla_due_at).toBe(stays.sla_due_at);
    expect((await get(`/tickets/${done.id}`)).sla_status).toBe('met');
  });

  it('are left alone by a change of names, and told of none', async () => {
    const schedule = await make(workspace.api, '/schedules');
    const policy = await policyWith({ schedule_id: schedule.id });
    await patch(`/schedules/${schedule.id}`, { name: 'Elsewhere', description: 'Text' });
    expect(await eventsOf(server, workspace, 'sla_policy', policy.id)).toHaveLength(1);
  });

  it('keep a schedule from being deleted', async () => {
    const schedule = await make(workspace.api, '/schedules');
    const policy = await policyWith({ schedule_id: schedule.id });
    const refused = (await workspace.api.delete(`/schedules/${schedule.id}`)).expect(422);
    expect(refused.error.details).toMatchObject([{ field: 'id', code: 'in_use', sla_policies: 1 }]);
    (await workspace.api.delete(`/sla/${policy.id}`)).expect(200);
    (await workspace.api.delete(`/schedules/${schedule.id}`)).expect(200);
  });

  it('never follow hours that are gone, however changes meet', async () => {
    const schedule = await make(workspace.api, '/schedules', { weekly: ALWAYS });
    const zones = ['Europe/Rome', 'Asia/Tokyo', 'America/Lima', 'UTC'];
    const policies = await Promise.all(
      zones.map(async (timezone) => {
        const [made] = await Promise.all([
          insist(() =>
            workspace.api.post('/sla', { name: timezone, targets: targets(1, 2), schedule_id: schedule.id }),
          ),
          insist(() => workspace.api.patch(`/schedules/${schedule.id}`, { timezone })),
        ]);
        return made.expect(201).data;
      }),
    );
    const now = hoursOf(await get(`/schedules/${schedule.id}`));
    for (const { id } of policies) expect((await get(`/sla/${id}`)).schedule).toEqual(now);
  });
});

describe('the rules', () => {
  const days = fc.date({ min: new Date('2024-01-01'), max: new Date('2026-12-31'), noInvalidDate: true });
  const holiday = fc.record(
    { date: days.map((day) => day.toISOString().slice(0, 10)), name: fc.string(), recurring: fc.boolean() },
    { requiredKeys: ['date'] },
  );
  const covers = (all: readonly Holiday[], date: string): boolean =>
    all.some((each) => (each.recurring ? each.date.slice(5) === date.slice(5) : each.date === date));

  it('put holidays in order without losing a day, and twice is once', () => {
    fc.assert(
      fc.property(fc.array(holiday, { maxLength: 60 }), (given) => {
        const ordered = orderedHolidays(given);
        expect(orderedHolidays([...ordered, ...ordered])).toEqual(ordered);
        expect(ordered.map(({ date }) => date)).toEqual(ordered.map(({ date }) => date).sort());
        for (const { date } of given) expect(covers(ordered, date)).toBe(true);
        for (const { date } of ordered) expect(ordered.filter((each) => covers([each], date))).toHaveLength(1);
      }),
    );
  });

  it('end the following for other hours alone', () => {
    const own = { mode: '24x7' } as const;
    const before = { schedule: own, schedule_id: 3 };
    expect(leaving(before, { schedule: { mode: '24x7', timezone: 'UTC' } })).toEqual({ schedule_id: null });
    for (const values of [
      {},
      { schedule: own },
      { schedule: { mode: '24x7', timezone: 'UTC' }, schedule_id: 4 },
    ] as const)
      expect(leaving(before, values)).toEqual({});
    expect(leaving({ ...before, schedule_id: null }, { schedule: { mode: '24x7', timezone: 'UTC' } })).toEqual({});
  });
});
